// Files of the page: those that are at hand are not fetched again.

/** @import { Source } from '../types.d.ts' */

/** Texts by their address: examples, gallery and glossary come in one file. @type {Record<string, string>} */
const texts = {};
/** Records of an example by their address. @type {Map<string, File>} */
const records = new Map();
/** The script of the workers. @type {string | URL} */
let worker = new URL('worker.js', import.meta.url);

const addressOf = (/** @type {string} */ name) => new URL(name, document.baseURI).href;

/** @param {string | URL} address @param {RequestInit} [how] */
async function fetched(address, how) {
  const response = await fetch(address, how);
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  return response;
}

/** A file of the page, which may be its notation of data. @param {string} name @returns {Promise<any>} */
export async function jsonOf(name) {
  const address = addressOf(name);
  return JSON.parse(texts[address] ?? (await (await fetched(address)).text()));
}

/** Where a worker is started from: a new data set gets a new one. */
export const workerAddress = () => worker;

/**
 * A source as a worker reads it.
 * @template {Source} S
 * @param {S} source
 * @returns {S | Extract<Source, { kind: 'file' }>}
 */
export function atHand(source) {
  if (source.kind !== 'url') return source;
  const text = texts[source.url];
  const file = text === undefined ? records.get(source.url) : new File([text], source.name);
  return file ? { kind: 'file', name: source.name, files: [file] } : source;
}

/**
 * Takes the texts that are opened later, the worker's script, the records of an example, and the other
 * languages.
 * @param {Source | null} source
 * @param {readonly string[]} languages those that are fetched when they are chosen
 */
export const stock = (source, languages) => [
  stockTexts(),
  stockWorker(),
  stockRecords(source),
  ...languages.flatMap((language) =>
    ['examples/', 'gallery/', 'messages/', 'messages/glossary.'].map((of) =>
      stockText(`${of}${language}.json`),
    ),
  ),
];

async function stockTexts() {
  const files = /** @type {Record<string, string>} */ (await (await fetched(addressOf('later.json'))).json());
  for (const [name, text] of Object.entries(files)) texts[addressOf(name)] = text;
}

/** @param {string} name */
async function stockText(name) {
  const address = addressOf(name);
  texts[address] = await (await fetched(address)).text();
}

async function stockWorker() {
  worker = URL.createObjectURL(await (await fetched(worker)).blob());
}

/** @param {Source | null} source */
async function stockRecords(source) {
  if (source?.kind !== 'url') return;
  // They were fetched a moment ago.
  const response = await fetched(source.url, { cache: 'force-cache' });
  records.set(source.url, new File([await response.blob()], source.name));
}
