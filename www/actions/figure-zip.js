import { Zip, ZipPassThrough } from 'fflate';
import { embedOf } from '../design/embed-code.js';
import { state } from '../state/store.js';
import { download, fileName } from './download.js';

/** @import { Source } from '../types.d.ts' */

/** Files of the figure element, in a folder of the page and of the pages that show figures. */
export const FIGURE_PARTS = ['element.js', 'element-here.js', 'rowscape-first.wasm', 'rowscape-rest.wasm'];

/** Gives a person a zip of everything that a page with the figure needs: a page that shows it, the element, the records. */
export async function saveFigureFiles() {
  const { design, source, view } = state;
  if (!design) return;
  const name = fileName(design.name);
  const page = `<!doctype html>\n<meta charset="utf-8">\n<title>${name}</title>\n${embedOf(design, source, view)}`;
  const parts = FIGURE_PARTS.map(async (part) => ({
    name: `rowscape/${part}`,
    content: await fetched(new URL(`rowscape/${part}`, document.baseURI).href),
  }));
  const files = await Promise.all(parts);
  files.unshift({ name: `${name}.html`, content: new Blob([page]) });
  download(`${name}.zip`, await zipped([...files, ...(await recordsOf(source))]));
}

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  return answer.blob();
}

/** The files of records that the figure reads. @param {Source | null} source */
async function recordsOf(source) {
  if (source?.kind === 'file') return source.files.map((file) => ({ name: file.name, content: file }));
  return source?.kind === 'url' ? [{ name: source.name, content: await fetched(source.url) }] : [];
}

/**
 * A zip whose files are stored as they are: most of their bytes are modules, which a server compresses.
 * @param {{ name: string, content: Blob }[]} files
 * @returns {Promise<Blob>}
 */
async function zipped(files) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(/** @type {Uint8Array<ArrayBuffer>} */ (piece));
  });
  for (const { name, content } of files) {
    const file = new ZipPassThrough(name);
    zip.add(file);
    file.push(new Uint8Array(await content.arrayBuffer()), true);
  }
  zip.end();
  return new Blob(pieces, { type: 'application/zip' });
}
