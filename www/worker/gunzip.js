// Gzip files of any number of members, as logrotate, bgzip and `cat a.gz b.gz` make them.
import { Gunzip, gunzipSync } from 'fflate';

/** Bytes unpacked in one go: what comes just before damage is lost with them. */
const PIECE = 1 << 14;
/** Input kept at hand: where a member begins is known only once its header is read. */
const KEPT = 1 << 17;
/** Bytes after a member: the checksum and the length of what was in it. */
const TRAILER = 8;
/** Bytes that a member has at least. */
const LEAST = 20;
/** Its first. */
const MAGIC = [0x1f, 0x8b];

/** A member of no bytes, padding, and a byte that begins no other. */
const NO_MEMBER = [...MAGIC, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

/** A gzip file that ends too early, or holds other bytes than were packed. */
export class BrokenGzip extends Error {
  code = 'page.broken-gzip';
}

/**
 * Unpacked bytes as they arrive. The browser's inflater is faster, but some stop after the first member, and
 * none returns the bytes just before damage: ours then restarts and skips what was already given. A stream
 * that cannot restart gets ours, and so does one where the other would pass over members behind padding.
 * @param {AsyncGenerator<Uint8Array>} packed
 * @param {(() => Promise<AsyncGenerator<Uint8Array>>) | null} again the same from its beginning
 * @returns {AsyncGenerator<Uint8Array>}
 * @throws {BrokenGzip} after all that can be unpacked
 */
export async function* gunzip(packed, again) {
  if (!again || (await passesOver())) return yield* members(packed, 0);
  /** True if the source itself failed. */
  let unread = false;
  const watched = (async function* () {
    try {
      yield* packed;
    } catch (error) {
      unread = true;
      throw error;
    }
  })();
  let given = 0;
  try {
    const inflater = /** @type {any} */ (new DecompressionStream('gzip'));
    for await (const bytes of eachOf(streamOf(watched).pipeThrough(inflater))) {
      given += bytes.length;
      yield bytes;
    }
    return;
  } catch (error) {
    if (unread) throw error;
  }
  yield* members(await again(), given);
}

/** @type {Promise<boolean> | undefined} */
let known;

/** True if the inflater at hand ends without a word at padding, whatever follows, as that of Node does. */
function passesOver() {
  known ??= (async () => {
    const bytes = new Blob([new Uint8Array(NO_MEMBER)]).stream();
    const inflater = /** @type {any} */ (new DecompressionStream('gzip'));
    try {
      for await (const _ of eachOf(bytes.pipeThrough(inflater)));
      return true;
    } catch {
      return false;
    }
  })();
  return known;
}

/**
 * @param {AsyncGenerator<Uint8Array>} packed
 * @param {number} given bytes that are left out at the beginning
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* members(packed, given) {
  const inflater = new Inflater();
  let skip = given;
  try {
    for await (const unpacked of inflated(packed, inflater)) {
      const rest = unpacked.subarray(skip);
      skip -= unpacked.length - rest.length;
      if (rest.length) yield rest;
    }
  } finally {
    await packed.return(undefined);
  }
}

/**
 * Zero bytes at the end of a piece wait: behind a member they are padding, as of tapes and copies in blocks.
 * @param {AsyncGenerator<Uint8Array>} packed
 * @param {Inflater} inflater
 */
async function* inflated(packed, inflater) {
  let zeros = 0;
  for (;;) {
    const { done, value } = await packed.next();
    if (done) break;
    const end = value.findLastIndex((byte) => byte !== 0) + 1;
    if (end > 0) {
      yield* inflater.zeros(zeros);
      yield* inflater.push(value.subarray(0, end));
      zeros = 0;
    }
    zeros += value.length - end;
  }
  yield* inflater.zeros(zeros);
  yield* inflater.push(null);
}

/** Unpacks one member after the other, and checks each by its checksum. */
class Inflater {
  #kept = new Uint8Array();
  #taken = 0;
  #checksum = -1;
  #length = 0;
  /** @type {Uint8Array[]} */
  #unpacked = [];
  #gunzip = this.#opened();
  /** Where the first member begins that #gunzip is given, and the one it has come to. */
  #origin = 0;
  #begun = 0;
  /** True behind a member while only zeros have followed. */
  #padded = false;

  #opened() {
    const gunzip = new Gunzip((bytes) => {
      this.#checksum = checksum(this.#checksum, bytes);
      this.#length += bytes.length;
      this.#unpacked.push(bytes);
    });
    gunzip.onmember = (offset) => {
      this.#check(this.#origin + offset);
      this.#begun = this.#origin + offset;
    };
    return gunzip;
  }

  /**
   * Unpacks the next bytes.
   * @param {Uint8Array | null} packed null: there are no more
   */
  *push(packed) {
    const bytes = packed ?? new Uint8Array();
    for (let at = 0; at < bytes.length || !packed; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      this.#keep(piece);
      const broken = this.#inflate(piece, !packed);
      yield* this.#unpacked;
      this.#unpacked = [];
      if (broken) throw broken;
      if (!packed) return;
    }
  }

  /** So many zero bytes, up to the end of a member. @param {number} count */
  *zeros(count) {
    for (let left = count; left > 0 && !this.#isWhole(); ) {
      // The end may be within the first, which are its own.
      const taken = count - left < LEAST ? 1 : Math.min(left, PIECE);
      yield* this.push(new Uint8Array(taken));
      left -= taken;
    }
  }

  /** True if a member ends with the bytes so far. */
  #isWhole() {
    return this.#padded || (this.#taken >= this.#begun + LEAST && this.#agrees(this.#taken));
  }

  /** @param {Uint8Array} piece @param {boolean} last @returns {BrokenGzip | undefined} */
  #inflate(piece, last) {
    if (this.#padded) {
      const begins = piece.findIndex((byte) => byte !== 0);
      return begins < 0 ? undefined : this.#begin(piece.subarray(begins), last);
    }
    try {
      this.#gunzip.push(piece, last);
      if (last) this.#check(this.#taken);
    } catch (error) {
      const rest = this.#behindPadding();
      return rest ? this.#begin(rest, last) : new BrokenGzip(String(error), { cause: error });
    }
  }

  /** Begins anew with a member behind padding; without any bytes more padding may follow. @param {Uint8Array} rest @param {boolean} last */
  #begin(rest, last) {
    this.#origin = this.#taken - rest.length;
    this.#begun = this.#origin;
    this.#padded = !rest.length;
    this.#checksum = -1;
    this.#length = 0;
    this.#gunzip = this.#opened();
    return rest.length ? this.#inflate(rest, last) : undefined;
  }

  /** The bytes that follow the zeros behind the member that was unpacked last; undefined where something else follows it. */
  #behindPadding() {
    const [kept, before] = [this.#kept, this.#taken - this.#kept.length];
    for (let end = Math.max(this.#begun + LEAST - before, TRAILER); end < kept.length; end++) {
      if (kept[end] !== 0 || !this.#agrees(before + end)) continue;
      const length = kept.subarray(end).findIndex((byte) => byte !== 0);
      if (length < 0) return kept.subarray(kept.length);
      const rest = kept.subarray(end + length);
      if (MAGIC.every((byte, at) => at >= rest.length || rest[at] === byte)) return rest;
    }
  }

  /** @param {Uint8Array} piece */
  #keep(piece) {
    const before = this.#kept.subarray(-KEPT);
    this.#kept = new Uint8Array(before.length + piece.length);
    this.#kept.set(before);
    this.#kept.set(piece, before.length);
    this.#taken += piece.length;
  }

  /** The member that ends at this byte. @param {number} end */
  #check(end) {
    if (!this.#agrees(end)) throw new Error('wrong checksum');
    this.#checksum = -1;
    this.#length = 0;
  }

  /** True if the trailer that ends at this byte matches the unpacked bytes. @param {number} end */
  #agrees(end) {
    const at = end - TRAILER - (this.#taken - this.#kept.length);
    if (at < 0) return false;
    const view = new DataView(this.#kept.buffer);
    const [stored, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if (stored !== ~this.#checksum >>> 0 || length !== this.#length >>> 0) return false;
    return (
      length > 0 || isEmpty(this.#kept.subarray(Math.max(0, at - end + TRAILER + this.#begun), at + TRAILER))
    );
  }
}

/**
 * True if this is a member of no bytes: zeros that are stored in another look like its trailer.
 * @param {Uint8Array} member
 */
function isEmpty(member) {
  try {
    return gunzipSync(member).length === 0;
  } catch {
    return false;
  }
}

const CRC_32 = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  return rest;
});

/** @param {number} before @param {Uint8Array} bytes */
function checksum(before, bytes) {
  let rest = before;
  for (let at = 0; at < bytes.length; at++) rest = (rest >>> 8) ^ CRC_32[(rest ^ bytes[at]) & 255];
  return rest;
}

/**
 * Iterates over a stream, for browsers whose streams are not iterable.
 * @param {ReadableStream<Uint8Array>} stream
 */
export async function* eachOf(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @param {AsyncGenerator<Uint8Array>} pieces @returns {ReadableStream<Uint8Array>} */
export const streamOf = (pieces) =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
