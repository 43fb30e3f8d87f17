// Files that are no text (Parquet, Arrow, Avro, HFiles and logs of HBase, zstd), told by their first bytes. A wasm module of its own turns them into text; it is
// loaded once such a file is opened, and asks for the bytes it needs.

/** Steps of `PackedFile`, by their numbers. */
const [END, NEED, STATED, TEXT] = [0, 1, 2, 3];
/** First bytes of such files, in hexadecimal: Parquet, Arrow's file and stream, Feather, Avro, HFiles,
    write-ahead logs, and zstd with frames to skip. */
const MAGIC =
  /^(50415231|50415245|4152524f57310000|f{8}.{6}00|46454131|4f626a01|44415441424c4b(2a|45)|494458524f4f5432|5057414c|28b52ffd|5.2a4d18)/;
/** Bytes by which they are told. */
export const MAGIC_BYTES = 8;
/** Bytes of a stream that are kept behind what was read: formats that are read in order look back a little. */
const KEPT = 1 << 20;
/** Forms that are read from their end. */
const FROM_END = /^(PAR|DATABLK|IDXROOT)/;
/** Stands for the last row group. */
const EVERY_GROUP = 2 ** 32 - 1;
/** Bytes of a stream that are kept where the whole is needed. */
const MOST = 2 ** 30;

/** @param {Uint8Array} head the first bytes of a file */
export const isPacked = (head) =>
  MAGIC.test(
    Array.from(head.subarray(0, MAGIC_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  );

/** A packed file is damaged, or is one that is not read; `problem` says so in JSON. */
export class BrokenTable extends Error {
  /** @param {string} problem */
  constructor(problem) {
    super(JSON.parse(problem).code);
    this.problem = problem;
  }
}

/**
 * Where a file is read: bytes from one place to another, as many as there are; `size` where it is known.
 * @typedef {{ size: number | null, read: (from: number, to: number) => Promise<Uint8Array>, end?: () => Promise<void> }} Bytes
 */

/** @param {Blob} blob @returns {Bytes} */
export const bytesOfBlob = (blob) => ({
  size: blob.size,
  read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
});

/** @param {Uint8Array} bytes @returns {Bytes} */
export const bytesOfArray = (bytes) => ({
  size: bytes.length,
  read: async (from, to) => bytes.slice(from, to),
});

/** @param {Uint8Array[]} pieces */
export function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * Bytes of pieces that come once and in order. A form that is read from its end is read whole first.
 * @param {AsyncGenerator<Uint8Array>} pieces
 * @param {Uint8Array} head their first bytes, which do not come again
 * @returns {Promise<Bytes>}
 */
export async function bytesOfPieces(pieces, head) {
  if (FROM_END.test(String.fromCharCode(...head.subarray(0, 7)))) {
    const all = [head];
    let length = head.length;
    for await (const piece of pieces) {
      all.push(piece);
      length += piece.length;
      if (length > MOST) break;
    }
    return bytesOfBlob(new Blob(/** @type {BlobPart[]} */ (all)));
  }
  let [start, held] = [0, head];
  return {
    size: null,
    async read(from, to) {
      const all = [held];
      for (let end = start + held.length; end < to; ) {
        const { done, value } = await pieces.next();
        if (done) break;
        all.push(value);
        end += value.length;
        // Bytes that are passed over are not kept.
        while (start + all[0].length < Math.min(from, end) - KEPT)
          start += /** @type {Uint8Array} */ (all.shift()).length;
      }
      held = joined(all);
      const old = Math.max(0, Math.min(start + held.length, from) - KEPT - start);
      held = held.subarray(old);
      start += old;
      // Bytes further back are gone.
      return from < start ? new Uint8Array() : held.slice(from - start, to - start);
    },
    end: async () => void (await pieces.return(undefined)),
  };
}

/**
 * @typedef {{
 *   step(): number, readonly from: number, readonly to: number, take(): Uint8Array, give(from: number, bytes: Uint8Array): void,
 *   stated(): string, choose(fields: string): boolean, wanted(): number | undefined, groupRows(): Float64Array,
 *   only(from: number, to: number): void, free(): void,
 * }} Unpacker
 */

/** A packed file on its way to text. */
export class PackedText {
  /** Columns as the file states them, as JSON; undefined for text. @type {string | undefined} */
  stated;
  /** Bytes read so far. */
  taken = 0;
  /** Bytes that will be read, where that is known. @type {number | null} */
  total = null;
  #file;
  #bytes;

  /** @param {Unpacker} file @param {Bytes} bytes */
  constructor(file, bytes) {
    this.#file = file;
    this.#bytes = bytes;
    this.total = bytes.size;
  }

  /**
   * Opens a file that begins so, up to where it has said what it states.
   * @param {{ open(head: Uint8Array, size?: number): Unpacker | undefined }} PackedFile
   * @param {Uint8Array} head
   * @param {Bytes} bytes
   */
  static async open(PackedFile, head, bytes) {
    const file = PackedFile.open(head.subarray(0, MAGIC_BYTES), bytes.size ?? undefined);
    if (!file) return null;
    const text = new PackedText(file, bytes);
    try {
      if (JSON.parse(file.stated()).format !== 'csv') {
        await text.#next();
        text.stated = file.stated();
      }
      return text;
    } catch (error) {
      await text.end();
      throw error;
    }
  }

  /** Reads only the columns that these fields are read from. @param {readonly object[]} fields */
  choose(fields) {
    this.#file.choose(JSON.stringify(fields));
    this.total = this.#file.wanted() ?? this.total;
  }

  /** The rows of each row group; none of files without row groups. */
  groupRows() {
    return [...this.#file.groupRows()];
  }

  /**
   * Goes on with the row groups from one to another, by default to the last, and no others. Only between two row groups.
   * @param {number} from
   * @param {number} [to]
   */
  only(from, to = EVERY_GROUP) {
    this.#file.only(from, to);
  }

  /** The text, piece by piece. */
  async *text() {
    for (let piece = await this.#next(); piece; piece = await this.#next()) yield piece;
  }

  /** The same; then what the file holds is given back. */
  async *pieces() {
    try {
      yield* this.text();
    } finally {
      await this.end();
    }
  }

  /** The next piece of text; null where there is none. */
  async #next() {
    for (;;) {
      const step = this.#file.step();
      if (step === NEED) {
        const { from, to } = this.#file;
        const bytes = await this.#bytes.read(from, to);
        this.taken += bytes.length;
        this.#file.give(from, bytes);
      } else if (step === TEXT) return this.#file.take();
      else if (step === END || step === STATED) return null;
      else throw new BrokenTable(new TextDecoder().decode(this.#file.take()));
    }
  }

  /** Gives back what it holds. */
  async end() {
    this.#file.free();
    await this.#bytes.end?.();
  }
}
