// Commands of the HBase shell, which is Ruby.
import { say } from '../text/sentences.js';

/** @import { ExistingRegion, RegionStep, Setting } from '../types.d.ts' */

/** Text in Ruby's single quotes, which read nothing but `\\` and `\'`. @param {string} text */
const quoted = (text) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/**
 * A row as `split`, `put` and `scan` take it. `\xNN` needs double quotes: in single quotes these commands
 * take it for four characters. (`SPLITS` of `create` is the other way about.)
 * @param {string} row in `\xNN` notation
 */
const row = (row) => (row.includes('\\x') ? `"${row.replaceAll(/["#]/g, '\\$&')}"` : quoted(row));

/** A region by its ends. @param {string} start @param {string} stop */
const between = (start, stop) => `${start}\n${stop}`;

/**
 * Finds the name of a region that was made on the way. Java's own calls, as `locate_region` garbles bytes
 * above 7F.
 */
const LOOK_UP = [
  'admin = org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(@hbase.configuration).getAdmin',
  'bytes = org.apache.hadoop.hbase.util.Bytes',
  'region_at = ->(table, start) { admin.getRegions(org.apache.hadoop.hbase.TableName.valueOf(table)).find { |one| bytes.toStringBinary(one.getStartKey) == start }.getEncodedName }',
];

/**
 * Commands that do the steps from one way of splitting a table to another.
 * @param {string} table
 * @param {RegionStep[]} steps
 * @param {readonly ExistingRegion[]} [regions] as they are: merges name regions by their encoded names
 */
export function reshapeCommands(table, steps, regions = []) {
  const encoded = new Map(
    regions.flatMap(({ start, stop, encoded: name }) => (name ? [[between(start, stop), name]] : [])),
  );
  /** @type {string[]} */
  const lines = [];
  let round = 0;
  let looked = false;
  for (const step of steps) {
    if (step.round !== round) {
      round = step.round;
      if (round > 1) lines.push('');
      lines.push(`# ${say(round > 1 ? 'page.shell-next-round' : 'page.shell-round', { round })}`);
    }
    if (step.action === 'split') {
      lines.push(`split ${quoted(table)}, ${row(step.at[0])}`);
      continue;
    }
    const starts = [step.start, ...step.at];
    const names = starts.map((start, index) => {
      const name = encoded.get(between(start, starts[index + 1] ?? step.stop));
      if (name) return quoted(name);
      if (!looked) lines.push(...LOOK_UP);
      looked = true;
      return `region_at.call(${quoted(table)}, ${quoted(start)})`;
    });
    lines.push(`merge_region ${names.join(', ')}`);
  }
  return lines.join('\n');
}

/** Names and values as a Ruby hash writes them. @param {[string, string][]} pairs */
const pairs = (pairs) => pairs.map(([name, value]) => `${quoted(name)} => ${quoted(value)}`).join(', ');

/**
 * One command that makes all settings: those of a family together, then those of the table.
 * @param {string} table
 * @param {readonly Setting[]} settings
 */
export function alterCommand(table, settings) {
  const parts = [...new Set(settings.map(({ family }) => family))].map((family) => {
    const own = settings.filter((setting) => setting.family === family);
    const named = family === null ? [] : [`NAME => ${quoted(family)}`];
    const configuration = own.flatMap((setting) => Object.entries(setting.configuration));
    const members = pairs(own.map(({ name, value }) => [name, value]));
    const configured = configuration.length ? [`CONFIGURATION => {${pairs(configuration)}}`] : [];
    return `{${[...named, members, ...configured].join(', ')}}`;
  });
  return `alter ${[quoted(table), ...parts].join(',\n  ')}`;
}
