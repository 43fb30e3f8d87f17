// The wasm module as two files beside this one. Bundlers take along what is named in this very form.
import { figureError } from './figure-error.js';

/** The first part of the module: enough to draw most figures. */
export const firstPart = () => bytesOf(new URL('./rowscape-first.wasm', import.meta.url));

const rest = () => new URL('./rowscape-rest.wasm', import.meta.url);
/** The second part of the module, which some views need. */
export const restPart = () => bytesOf(rest());
/** URL of the second part: a worker that needs one of its functions fetches it. */
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
