// The wasm module as two files beside this one. Bundlers take along what is named in this very form.
import { figureError } from './figure-error.js';

/** What a figure is drawn with. */
export const firstPart = () => bytesOf(new URL('./rowscape-first.wasm', import.meta.url));

const rest = () => new URL('./rowscape-rest.wasm', import.meta.url);
/** What some views take besides. */
export const restPart = () => bytesOf(rest());
/** Where that is: a worker that meets a function of it fetches it itself. */
export const restAddress = () => rest().href;

/** @param {URL} url @returns {Promise<BufferSource>} */
async function bytesOf(url) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw figureError('figure.unreachable', { url: url.href, error: String(error) });
  }
  if (!response.ok) throw figureError('figure.missing', { url: url.href, status: response.status });
  return response.arrayBuffer();
}
