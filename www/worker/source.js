import { Gunzip } from 'fflate';

/** @import { Encoding, Source } from '../types.d.ts' */

/** A file to read. @typedef {{ name: string, file?: File, url?: string }} One */

/** Bytes handed to the reader at a time. */
const CHUNK = 1 << 20;
/** Bytes looked at to guess what a file holds. */
const HEAD = 1 << 18;

/** The files of a source. @param {Exclude<Source, { kind: 'generator' }>} source @returns {One[]} */
export function filesOf(source) {
  return source.kind === 'url' ? [source] : source.files.map((file) => ({ name: file.name, file }));
}

/**
 * The bytes of a source as they come, decompressed when they are gzip (told by their first bytes, never by a name).
 * @param {One} source
 * @param {(bytes: number, total: number | null) => void} onBytes told how many stored bytes were taken so far
 * @returns {Promise<ReadableStream<Uint8Array>>}
 */
export async function open(source, onBytes) {
  const { stream, total } = await raw(source);
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
  const { first, rest } = await peek(counted);
  const gzip = first[0] === 0x1f && first[1] === 0x8b;
  return gzip ? unpacked(rest, async () => (await raw(source)).stream) : rest;
}

/**
 * Unpacks with the browser's own inflater. Some browsers refuse a file of several members, as logrotate and bgzip make
 * them: such a file is begun again with ours, and what was given out already is skipped.
 * @param {ReadableStream<Uint8Array>} packed
 * @param {() => Promise<ReadableStream<Uint8Array>>} again
 * @returns {ReadableStream<Uint8Array>}
 */
function unpacked(packed, again) {
  let reader = packed.pipeThrough(/** @type {any} */ (new DecompressionStream('gzip'))).getReader();
  let given = 0;
  let ours = false;
  const next = async () => {
    try {
      return await reader.read();
    } catch (error) {
      if (ours) throw error;
      ours = true;
      reader = (await again()).pipeThrough(members(given)).getReader();
      return reader.read();
    }
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await next();
        if (done) return controller.close();
        given += value.length;
        controller.enqueue(value);
      } catch (error) {
        controller.error(Object.assign(new Error(String(error)), { code: 'page.broken-gzip' }));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * Unpacks gzip files of any number of members.
 * @param {number} skipped bytes of the result that are left out at its beginning
 * @returns {TransformStream<Uint8Array, Uint8Array>}
 */
function members(skipped) {
  let skip = skipped;
  /** @type {Gunzip} */
  let inflater;
  return new TransformStream({
    start(controller) {
      inflater = new Gunzip((bytes) => {
        const left = bytes.subarray(skip);
        skip -= bytes.length - left.length;
        if (left.length) controller.enqueue(left);
      });
    },
    transform: (chunk) => inflater.push(chunk),
    flush: () => inflater.push(new Uint8Array(), true),
  });
}

/**
 * The first bytes of a source, as stored in the file (decompressed).
 * @param {One} source
 */
export async function head(source) {
  const reader = (await open(source, () => {})).getReader();
  const pieces = [];
  for (let length = 0; length < HEAD; ) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
  }
  await reader.cancel();
  return concat(pieces).subarray(0, HEAD);
}

/**
 * UTF-8 chunks of a stream in another encoding.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {Encoding} encoding
 * @returns {ReadableStream<Uint8Array>}
 */
export function toUtf8(stream, encoding) {
  if (encoding === 'utf-8') return stream;
  const decoder = /** @type {any} */ (new TextDecoderStream(encoding));
  return stream.pipeThrough(decoder).pipeThrough(/** @type {any} */ (new TextEncoderStream()));
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
 * @returns {Promise<{ stream: ReadableStream<Uint8Array>, total: number | null }>}
 */
async function raw(source) {
  if (source.file) return { stream: source.file.stream(), total: source.file.size };
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
function concat(chunks) {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
