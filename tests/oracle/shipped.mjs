// HBase as shipped: what the package takes for granted against hbase-default.xml.

/** @typedef {Awaited<ReturnType<typeof import('./subject.mjs').install>>} Subject */
/** Settings of HBase by name. @typedef {Record<string, string>} Settings */

const GB = 1024 ** 3;
const DAY = 86_400_000;

/**
 * Compares the settings of a simulation that is told none, and the limits of cells and rows.
 * @param {Subject} subject
 * @param {Settings} shipped
 */
export function judgeShipped(subject, shipped) {
  /** @type {string[]} */
  const told = [];
  const setting = (/** @type {string} */ name) => {
    if (!shipped[name]) throw new Error(`hbase-default.xml has no ${name}`);
    return shipped[name];
  };
  // Long enough for splits, expiry and compactions, each of which shows when it is another.
  const life = { days: 400, bytesPerDay: GB / 4, arrivals: 'rising', ttlDays: 30 };
  const policy = setting('hbase.regionserver.region.split.policy')
    .split('.')
    .at(-1)
    ?.replace('SplitPolicy', '');
  const explicit = {
    policy,
    flush: Number(setting('hbase.hregion.memstore.flush.size')),
    maxRegion: Number(setting('hbase.hregion.max.filesize')),
    compactionDays: Number(setting('hbase.hregion.majorcompaction')) / DAY,
    compactionJitter: 100 * Number(setting('hbase.hregion.majorcompaction.jitter')),
  };
  const days = (/** @type {object} */ spec) => JSON.stringify(subject.days({ ...life, ...spec }));
  if (days({}) !== days(explicit))
    told.push(`a simulation as shipped is not one of ${JSON.stringify(explicit)}`);
  const limits = [
    ['storage.cell-too-large', 'hbase.client.keyvalue.maxsize'],
    ['storage.row-too-large', 'hbase.table.max.rowsize'],
  ];
  for (const [code, name] of limits) {
    const limit = Number(setting(name));
    const refused = (/** @type {number} */ size) => subject.storageProblems(size).includes(code);
    if (refused(limit) || !refused(limit + 1)) told.push(`${code} does not begin above ${name}, ${limit}`);
  }
  const compared = { 'settings as shipped': Object.keys(explicit).length + limits.length };
  return { compared, differences: told.length, told };
}

/** Another write memory than HBase has. @param {Settings} shipped @returns {Settings} */
export const wrongSetting = (shipped) => ({ ...shipped, 'hbase.hregion.memstore.flush.size': '1000000' });
