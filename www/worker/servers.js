/** @import { Report, ServerLoad } from '../types.d.ts' */

/** Rows that a stretch of time should have for each server, so that chance says little. */
const ROWS = 64;
/** Fewest stretches of time: fewer would hide a hot spot that moves. */
const STRETCHES = 16;

/**
 * Regions on servers in turn, as HBase assigns those of a new table: the load of each over time. None without a time, or
 * when regions are so many that the report counts several as one.
 * @param {Pick<Report, 'heat' | 'time' | 'regionCount' | 'regionsPerHeatRow'>} report
 * @param {number} servers
 * @returns {ServerLoad | null}
 */
export function loadOf({ heat, time, regionCount, regionsPerHeatRow }, servers) {
  const all = heat.reduce((sum, rows) => sum + rows, 0);
  if (!time || !all || regionsPerHeatRow > 1) return null;
  const buckets = heat.length / regionCount;
  const wanted = Math.ceil((servers * ROWS * buckets) / all);
  const together = Math.max(1, Math.min(wanted, Math.ceil(buckets / STRETCHES)));
  const stretches = Math.ceil(buckets / together);
  const load = new Float64Array(servers * stretches);
  heat.forEach((rows, at) => {
    const server = Math.floor(at / buckets) % servers;
    load[server * stretches + Math.floor((at % buckets) / together)] += rows;
  });
  const rows = Array.from({ length: servers }, (_, server) =>
    load.subarray(server * stretches, (server + 1) * stretches).reduce((sum, some) => sum + some, 0),
  );
  const busiest = Array(stretches).fill(0);
  const worth = [];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const now = rows.map((_, server) => load[server * stretches + stretch]);
    const most = Math.max(...now);
    if (!most) continue;
    const sum = now.reduce((one, other) => one + other);
    busiest[stretch] = most / sum;
    worth.push(sum / most);
  }
  worth.sort((a, b) => a - b);
  return { servers, rows, busiest, throughput: worth[Math.floor(worth.length / 2)], load, stretches };
}
