import { BrokenGzip, eachOf, gunzip, streamOf } from './gunzip.js';

/** @import { RecordSource } from '../types.d.ts' */

/** A file to read. @typedef {{ name: string, file?: File, url?: string }} One */

/** Bytes handed to the reader at a time. */
const CHUNK = 1 << 20;
/** Bytes looked at to guess what a file holds. */
export const HEAD = 1 << 18;

/** The files of a source. @param {RecordSource} source @returns {One[]} */
export function filesOf(source) {
  return source.kind === 'url' ? [source] : source.files.map((file) => ({ name: file.name, file }));
}

/**
 * The bytes of a source as they come, decompressed when they are gzip (told by their first bytes, never by a
 * name).
 * @param {One} source
 * @param {(bytes: number, total: number | null) => void} onBytes told how many stored bytes were taken so far
 * @param {number} [from] the first byte wanted of a file that is not compressed
 * @returns {Promise<ReadableStream<Uint8Array>>}
 */
export async function open(source, onBytes, from = 0) {
  const { stream, total } = await raw(source, from);
  let taken = 0;
  const counted = stream.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        taken += chunk.length;
        onBytes(taken, total);
        controller.enqueue(chunk);
      },
    }),
  );
  if (from) return counted;
  const { first, rest } = await peek(counted);
  if (first[0] !== 0x1f || first[1] !== 0x8b) return rest;
  return streamOf(gunzip(eachOf(rest), async () => eachOf((await raw(source)).stream)));
}

/**
 * The first bytes of a source, as stored in the file (decompressed); of a damaged one those before the
 * damage.
 * @param {One} source
 */
export async function head(source) {
  return firstOf(eachOf(await open(source, () => {})), (error) => error instanceof BrokenGzip);
}

/**
 * The first bytes of a text.
 * @param {AsyncGenerator<Uint8Array>} text
 * @param {(error: unknown) => boolean} isDamage whether what comes before an error is to be kept
 */
export async function firstOf(text, isDamage) {
  const pieces = [];
  let length = 0;
  try {
    for await (const piece of text) {
      pieces.push(piece);
      length += piece.length;
      if (length >= HEAD) break;
    }
  } catch (error) {
    if (!(isDamage(error) && length)) throw error;
  }
  return concat(pieces).subarray(0, HEAD);
}

/**
 * Chunks no larger than a reader takes in well under the time between two frames.
 * @param {Uint8Array} bytes
 */
export function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/**
 * @param {One} source
 * @param {number} [from]
 * @returns {Promise<{ stream: ReadableStream<Uint8Array>, total: number | null }>}
 */
async function raw(source, from = 0) {
  const { file } = source;
  if (file) return { stream: (from ? file.slice(from) : file).stream(), total: file.size - from };
  const response = await fetch(source.url ?? '');
  if (!response.ok || !response.body) throw new Error(`${response.status} ${source.url}`);
  return { stream: response.body, total: Number(response.headers.get('content-length')) || null };
}

/**
 * Takes the first chunk off a stream without losing it.
 * @param {ReadableStream<Uint8Array>} stream
 */
async function peek(stream) {
  const reader = stream.getReader();
  let first = new Uint8Array();
  let ended = false;
  while (first.length < 2 && !ended) {
    const { done, value } = await reader.read();
    ended = done;
    if (value) first = concat([first, value]);
  }
  const rest = new ReadableStream({
    start(controller) {
      if (first.length) controller.enqueue(first);
      if (ended) controller.close();
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { first, rest };
}

/** @param {Uint8Array[]} chunks */
export function concat(chunks) {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
