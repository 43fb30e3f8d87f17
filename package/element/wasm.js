// The wasm module as a file beside this one.
import { figureError } from './error.js';

/** @returns {Promise<BufferSource>} */
export async function wasmBytes() {
  const url = new URL('./rowscape.wasm', import.meta.url);
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
