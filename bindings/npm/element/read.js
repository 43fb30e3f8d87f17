// Reads the document and the records that a figure's attributes name.
import { figureError } from './figure-error.js';

/**
 * A file beside the page.
 * @param {string} address
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
async function fetched(address, signal) {
  const url = new URL(address, document.baseURI).href;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw figureError('figure.unreachable', { url, error: String(error) });
  }
  if (!response.ok) throw figureError('figure.missing', { url, status: response.status });
  return response.blob();
}

/**
 * The same text, once it is JSON.
 * @param {string} text
 * @param {string} place
 */
function json(text, place) {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw figureError('figure.not-json', { place, error: String(/** @type {Error} */ (error).message) });
  }
}

/**
 * The documents: those of `src` and `with`, or what is written inside the element.
 * @param {HTMLElement} figure
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>}
 */
export async function documentsOf(figure, signal) {
  const inline = [...figure.querySelectorAll(':scope > script[type="application/json"]')];
  const src = figure.getAttribute('src');
  if (!src && !inline.length) throw figureError('figure.no-design');
  const addresses = [src, ...(figure.getAttribute('with') ?? '').split(/\s+/)].filter(Boolean);
  const files = addresses.map(async (address) =>
    json(await (await fetched(String(address), signal)).text(), String(address)),
  );
  const written = inline.map((script) => json(script.textContent ?? '', 'script'));
  return src ? [...(await Promise.all(files)), ...written] : [...written, ...(await Promise.all(files))];
}

/**
 * The records, when the figure names a file of them.
 * @param {HTMLElement} figure
 * @param {AbortSignal} signal
 */
export async function dataOf(figure, signal) {
  const address = figure.getAttribute('data');
  if (!address) return null;
  const name = address.split(/[?#]/)[0].split('/').pop() ?? address;
  return { name, file: await fetched(address, signal) };
}
