// How requests spread over the regions and servers of an existing table, and what to move, split or merge.

/** @import { ExistingRegion } from '../types.d.ts' */

/** A server with so many times its even share is a hotspot. */
const HOT = 1.5;
/** A region with so many times the even share of a server can't be balanced by moving it. */
const TOO_MUCH = 1.2;
/** Part of what a hot server takes that its busiest regions are named for. */
const NAMED = 0.9;
/** Part of the mean below which a region is idle. */
const IDLE = 0.05;
/** Most steps of a kind. */
const MOST = 3;

/**
 * A step that spreads requests better.
 * @typedef {{ act: 'move', region: number, to: string, share: number } | { act: 'split', region: number, share: number } | { act: 'merge', first: number, last: number }} Act
 */

/**
 * The verdict on a table: `server` takes `share` of the requests with `regions`; of one server, the busiest region.
 * @typedef {{ severity: 'good' | 'bad', by: 'server' | 'region', server: string, servers: number, regions: number[], share: number, acts: Act[] }} Health
 */

/**
 * Judges the requests of a table by server and region.
 * @param {readonly ExistingRegion[]} regions all of the table
 * @returns {Health | null} null where no requests are told
 */
export function healthOf(regions) {
  const asked = regions.map(({ requests }) => requests ?? 0);
  const all = sum(asked);
  if (!all || regions.length < 2) return null;
  /** @type {Map<string, number[]>} */
  const byServer = new Map();
  regions.forEach(({ server }, index) => {
    if (server) byServer.set(server, [...(byServer.get(server) ?? []), index]);
  });
  const loadOf = (/** @type {readonly number[]} */ some) => sum(some.map((index) => asked[index]));
  const servers = [...byServer.keys()].sort(
    (a, b) => loadOf(byServer.get(b) ?? []) - loadOf(byServer.get(a) ?? []),
  );
  const acts = [
    ...splitsOf(asked, all, Math.max(2, servers.length)),
    ...movesOf(byServer, asked, all),
    ...mergesOf(regions, asked, all),
  ];
  const busiest = asked.indexOf(Math.max(...asked));
  if (servers.length < 2) {
    const share = asked[busiest] / all;
    const bad = share >= HOT / regions.length;
    return {
      severity: bad ? 'bad' : 'good',
      by: 'region',
      server: servers[0] ?? '',
      servers: servers.length,
      regions: [busiest],
      share,
      acts: bad ? acts : [],
    };
  }
  const [server] = servers;
  const own = [...(byServer.get(server) ?? [])].sort((a, b) => asked[b] - asked[a]);
  const load = loadOf(own);
  const enough = own.findIndex((_, at) => loadOf(own.slice(0, at + 1)) >= NAMED * load) + 1;
  const named = own.slice(0, Math.max(1, enough));
  const bad = load / all >= HOT / servers.length;
  return {
    severity: bad ? 'bad' : 'good',
    by: 'server',
    server,
    servers: servers.length,
    regions: named.sort((a, b) => a - b),
    share: loadOf(named) / all,
    acts: bad ? acts : [],
  };
}

/** Regions that take more than a server should. @param {number[]} asked @param {number} all @param {number} servers @returns {Act[]} */
const splitsOf = (asked, all, servers) =>
  ranked(asked)
    .filter((region) => asked[region] / all >= TOO_MUCH / servers)
    .slice(0, MOST)
    .map((region) => ({ act: 'split', region, share: asked[region] / all }));

/**
 * Moves from the busiest server to the idlest, as long as the busiest of the two is then less busy.
 * @param {Map<string, number[]>} byServer
 * @param {number[]} asked
 * @param {number} all
 * @returns {Act[]}
 */
function movesOf(byServer, asked, all) {
  const placed = new Map([...byServer].map(([server, regions]) => [server, [...regions]]));
  const load = (/** @type {string} */ server) => sum((placed.get(server) ?? []).map((index) => asked[index]));
  /** @type {Act[]} */
  const moves = [];
  while (moves.length < MOST) {
    const order = [...placed.keys()].sort((a, b) => load(b) - load(a));
    const [from, to] = [order[0], order[order.length - 1]];
    const best = [...(placed.get(from) ?? [])]
      .filter((region) => asked[region] > 0)
      .map((region) => ({ region, top: Math.max(load(from) - asked[region], load(to) + asked[region]) }))
      .sort((a, b) => a.top - b.top)[0];
    // A step that gains less than a tenth is not worth its loss of locality.
    if (from === to || !best || best.top > 0.9 * load(from)) break;
    placed.set(
      from,
      (placed.get(from) ?? []).filter((region) => region !== best.region),
    );
    placed.set(to, [...(placed.get(to) ?? []), best.region]);
    moves.push({ act: 'move', region: best.region, to, share: asked[best.region] / all });
  }
  return moves;
}

/** Neighbors that hardly anyone asks for and that hold little. @param {readonly ExistingRegion[]} regions @param {number[]} asked @param {number} all @returns {Act[]} */
function mergesOf(regions, asked, all) {
  const size = sum(regions.map(({ megabytes }) => megabytes ?? 0));
  const idle = (/** @type {number} */ at) =>
    asked[at] <= (IDLE * all) / regions.length &&
    (regions[at].megabytes ?? 0) <= (IDLE * size) / regions.length;
  /** @type {Act[]} */
  const merges = [];
  for (let at = 0; at + 1 < regions.length && merges.length < MOST; at++) {
    if (!idle(at) || !idle(at + 1)) continue;
    merges.push({ act: 'merge', first: at, last: at + 1 });
    at++;
  }
  return merges;
}

/** Indices by value, the largest first. @param {number[]} values */
const ranked = (values) => [...values.keys()].sort((a, b) => values[b] - values[a]);

/** @param {number[]} values */
const sum = (values) => values.reduce((all, value) => all + value, 0);
