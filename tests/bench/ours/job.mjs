// The main job through Rowscape's public JavaScript surface, the same for Node and a browser's worker.

const BUCKETS = 120;
const TOP = 20;
const TIME = { type: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: 'Z' };

/** The two files of the bench: what their columns are called and which of them make the key. */
export const SHAPES = {
  calls: {
    fields: [
      { name: 'phone', type: 'text' },
      { name: 'call_time', ...TIME },
      { name: 'duration', type: 'integer' },
      { name: 'cell_id', type: 'text' },
    ],
    phone: 'phone',
    time: 'call_time',
  },
  requoted: {
    fields: [
      { name: 'cell', type: 'text' },
      { name: 'placed_at', ...TIME },
      { name: 'caller', type: 'text' },
      { name: 'seconds', type: 'integer' },
    ],
    phone: 'caller',
    time: 'placed_at',
  },
};

const hexRegions = (regions) => ({ algorithm: 'HexStringSplit', regions });

function design({ fields, phone, time }) {
  return JSON.stringify({
    rowscape: 1,
    name: 'Calls',
    fields,
    arrival: time,
    rowkey: `${phone}.md5().hex(8) + '_' + ${phone} + '_' + ${time}.format('yyyyMMddHHmmss')`,
    splits: hexRegions(16),
  });
}

/** First key | last key | weighted heat sum | top phone | 20th phone | median | max | coefficient of variation. */
function checkLine(report, phone) {
  let weighted = 0;
  for (let i = 0; i < report.heat.length; i++) weighted += (i + 1) * report.heat[i];
  const top = report.busiest.find(({ field }) => field === phone).values;
  const at = (i) => `${top[i]?.value}:${top[i]?.rows}`;
  const { first, last } = report.keys;
  const { median, max, cv } = report.skew;
  return [first, last, weighted, at(0), at(TOP - 1), median, max, cv.toFixed(6)].join('|');
}

/**
 * Bytes to report, once.
 * @param {{ Records: any, Analysis: any }} rowscape
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks
 * @param {{ shape: keyof typeof SHAPES, slide?: boolean }} command `slide`: also redraw for 2 to 64 regions
 */
export async function job({ Records, Analysis }, chunks, { shape, slide }) {
  const { fields, phone, time } = SHAPES[shape];
  const begin = performance.now();
  const records = new Records({ format: 'csv', fields });
  let parse = 0;
  for await (const chunk of chunks) {
    const start = performance.now();
    records.push(chunk);
    parse += performance.now() - start;
  }
  const finishing = performance.now();
  records.finish();
  parse += performance.now() - finishing;
  const parsed = performance.now();
  const analysis = new Analysis(records, design({ fields, phone, time }));
  const analysed = performance.now();
  const report = analysis.report({ timeBuckets: BUCKETS, top: TOP });
  const check = checkLine(report, phone);
  const end = performance.now();
  const result = {
    read: parsed - begin - parse,
    parse,
    'key+sort': analysed - parsed,
    'heat+top': end - analysed,
    total: end - begin,
    check,
    rows: report.rows,
    ...(slide && { redraw: redraws(analysis) }),
  };
  analysis.free();
  records.free();
  return result;
}

/** Milliseconds of each redraw while the slider goes from 2 to 64 regions. */
function redraws(analysis) {
  const times = [];
  for (let regions = 2; regions <= 64; regions++) {
    const start = performance.now();
    analysis.report({ splits: JSON.stringify(hexRegions(regions)), timeBuckets: BUCKETS, top: TOP });
    times.push(performance.now() - start);
  }
  return times;
}
