// Splits a wasm module in two that share memory, tables and globals: a first part with the functions that the
// main path goes through, and the rest, which the first part has loaded when one of its functions is first
// called.
//
// Functions of the rest are called through the table. What named one in the first part (a call, an export,
// the table) names a thunk there: see that the rest is loaded, then call what is in that place. The rest,
// when it starts, puts its functions into their places; it imports what it calls of the first part.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { begin, ROOT } from '../run.mjs';
import { defined, functions, list, read, replace, written } from './binaryen.mjs';
import { bringing, textsOf, without } from './texts.mjs';

/** @import { Module } from './binaryen.mjs' */

/** Takes out what nothing names any more. */
const CLEAN = ['remove-unused-module-elements'];

const { i32, none } = binaryen;

/**
 * The module, telling `profile.through` the number of each function it enters.
 * @param {Uint8Array} whole
 */
function instrumented(whole) {
  const module = read(whole);
  for (const [number, one] of defined(module).entries()) {
    const told = module.call('through', [module.i32.const(number)], none);
    replace(module, one, module.block(null, [told, one.body], one.results));
  }
  module.addFunctionImport('through', 'profile', 'through', i32, none);
  return written(module);
}

/**
 * The table of functions: its name, those of the segments that fill it, and the function in each place.
 * @param {Module} module
 */
function tableOf(module) {
  const segments = list(module.getNumElementSegments(), (at) =>
    binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(at)),
  );
  const [{ table }] = segments;
  if (segments.some((one) => one.table !== table)) throw new Error('functions are in two tables');
  /** @type {string[]} */
  const places = [];
  places.length = binaryen.getTableInfo(module.getTable(table)).initial;
  for (const { offset, data } of segments) {
    const { value } = /** @type {any} */ (binaryen.getExpressionInfo(offset));
    for (const [at, name] of data.entries()) places[value + at] = name;
  }
  return { table, segments: segments.map(({ name }) => name), places };
}

/**
 * Both parts of a module.
 * @param {Uint8Array} whole
 * @param {Iterable<number>} through the numbers of the functions that the main path goes through
 */
function parts(whole, through) {
  const first = read(whole);
  const rest = read(whole);
  const all = defined(first);
  const { table, segments, places } = tableOf(first);
  const main = new Set(Array.from(through, (number) => all[number].name));
  const others = all.filter(({ name }) => !main.has(name));
  // Parts of two builds would find each other's functions under the same short names.
  const stamp = createHash('sha256')
    .update(whole)
    .update(String([...main]))
    .digest('hex')
    .slice(0, 16);

  // Shared by both parts: one exports it, the other imports it. The memory is exported as it is.
  let exported = 0;
  const short = () => `.${(exported++).toString(36)}`;
  const tables = list(first.getNumTables(), (at) => binaryen.getTableInfo(first.getTableByIndex(at)).name);
  const shared = tables.map((name) => ({ name, outside: short() }));
  for (const { name, outside } of shared) first.addTableExport(name, outside);
  for (const at of Array(first.getNumGlobals()).keys()) {
    const { name, type, mutable } = binaryen.getGlobalInfo(first.getGlobalByIndex(at));
    if (!mutable) continue;
    const outside = short();
    first.addGlobalExport(name, outside);
    rest.removeGlobal(name);
    rest.addGlobalImport(name, 'first', outside, type, true);
  }

  // Functions of the rest that the first part names, and their places in the table: one that it has, or a new
  // one.
  for (const one of others) replace(first, one, first.unreachable());
  first.runPasses(CLEAN);
  const named = new Set(defined(first).map(({ name }) => name));
  const thunks = others.filter(({ name }) => named.has(name));
  const place = new Map(Array.from(places, (name, at) => [name, at]));
  for (const { name } of thunks) if (!place.has(name)) place.set(name, places.push(name) - 1);
  for (const module of [first, rest]) {
    module.removeTable(table);
    module.addTable(table, places.length, places.length);
  }

  // Thunks, and what loads the rest unless the global that is exported as `rest` says that it is there.
  first.addGlobal('there', i32, true, first.i32.const(0));
  first.addGlobalExport('there', 'rest');
  first.addGlobalExport('there', stamp);
  first.addFunctionImport('load', 'rest', 'load', none, none);
  const absent = first.i32.eqz(first.global.get('there', i32));
  first.addFunction('need', none, none, [], first.if(absent, first.call('load', [], none)));
  for (const one of thunks) {
    const { name, params, results } = one;
    const given = binaryen.expandType(params).map((type, at) => first.local.get(at, type));
    const at = first.i32.const(place.get(name) ?? 0);
    const call = first.call_indirect(table, at, given, params, results);
    replace(first, { ...one, vars: [] }, first.block(null, [first.call('need', [], none), call], results));
  }

  // The rest has the other functions, without memory and data of its own, and puts them into their places.
  for (const { name } of list(rest.getNumExports(), (at) =>
    binaryen.getExportInfo(rest.getExportByIndex(at)),
  ))
    rest.removeExport(name);
  for (const { name, params, results } of all.filter(({ name }) => main.has(name))) {
    rest.removeFunction(name);
    rest.addFunctionImport(name, 'first', name, params, results);
  }
  rest.runPasses(['remove-memory-init']);
  rest.addMemoryImport('0', 'first', 'memory');
  for (const { name, outside } of shared) rest.addTableImport(name, 'first', outside);
  for (const name of segments) rest.removeElementSegment(name);
  const moved = new Set(thunks.map(({ name }) => name));
  for (let from = 0; from < places.length; from++) {
    let to = from;
    while (moved.has(places[to])) to++;
    if (to > from)
      rest.addActiveElementSegment(table, `${from}`, places.slice(from, to), rest.i32.const(from));
    from = to;
  }
  rest.addGlobalImport('there', 'first', stamp, i32, true);
  rest.setStart(rest.addFunction('start', none, none, [], rest.global.set('there', rest.i32.const(1))));
  rest.runPasses(CLEAN);

  // Functions of the first part that the rest calls.
  for (const { name, module, params, results } of functions(rest)) {
    if (module !== 'first') continue;
    const outside = short();
    first.addFunctionExport(name, outside);
    rest.addFunctionImport(name, 'first', outside, params, results);
  }
  return { first: written(first), rest: written(rest) };
}

/**
 * Splits a module by what a script of `drive/` makes it go through.
 * @param {string} whole
 * @param {string} drive name of the script
 * @param {{ first: string, rest: string }} out
 */
export async function split(whole, drive, out) {
  const folder = mkdtempSync(join(tmpdir(), 'rowscape-split-'));
  try {
    const [driven, through] = ['driven.wasm', 'through.json'].map((name) => join(folder, name));
    const bytes = readFileSync(whole);
    writeFileSync(driven, instrumented(bytes));
    await begin(process.execPath, [join(ROOT, 'scripts', 'build', 'drive', drive), driven, through]);
    const { first, rest } = parts(bytes, JSON.parse(readFileSync(through, 'utf8')));
    const texts = textsOf(bytes);
    writeFileSync(out.first, without(first, textsOf(first)));
    writeFileSync(out.rest, texts.length ? bringing(rest, bytes, texts) : rest);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
