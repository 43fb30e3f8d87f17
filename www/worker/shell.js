/** What the rows of a scan become: a header of two columns, and a line a row. */
const HEADER = 'key\twritten\n';

/** How the shell begins to print the rows of a scan. */
const BEGINNING = /^[ \t]*ROW([ \t]+)COLUMN\+CELL/;
/** What it prints behind them. */
const END = /^(\d+ row\(s\)|Took )/;
const COLUMN = ' column=';

/** Whether a text holds the rows of a scan as HBase's shell prints them. @param {Uint8Array} head */
export const isScan = (head) => new RegExp(BEGINNING, 'm').test(new TextDecoder().decode(head));

/** Whether these are the lines that one has become. @param {Uint8Array} head */
export const isOfScan = (head) => /^key\twritten\n([^\t\n]*\t\d*\n|$)/.test(new TextDecoder().decode(head));

/**
 * The rows of such a text, one a line: the key in the notation of the shell, and when its oldest cell was written, in
 * milliseconds since the epoch.
 * @param {AsyncIterable<Uint8Array>} chunks
 */
export async function* rowsOfScan(chunks) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const scan = new Scan();
  yield encoder.encode(HEADER);
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield encoder.encode(lines.map((line) => scan.line(line)).join(''));
  }
  yield encoder.encode(scan.line(rest) + scan.end());
}

/** Rows as their cells come, lines that a narrow terminal has broken put together again. */
class Scan {
  /** Where the second column begins, 0 when lines are not broken; `null` outside of a scan. @type {number | null} */
  #second = null;
  /** The cell that may go on in the next line. @type {{ row: string, text: string } | null} */
  #cell = null;
  /** The row that may go on in the next cell. @type {{ key: string, written: number } | null} */
  #row = null;

  /** Takes a line; gives the row that it ends, if it ends one. @param {string} line */
  line(line) {
    const begun = BEGINNING.exec(line);
    if (begun || END.test(line)) {
      const ended = this.end();
      this.#second = begun ? (begun[1].length > 2 ? begun[0].indexOf('COLUMN') : 0) : null;
      return ended;
    }
    if (this.#second === null) return '';
    const at = this.#second || line.indexOf(COLUMN) + 1;
    // A space at the end belongs to the key where the column of cells has no place of its own.
    const before = this.#second ? line.slice(0, at).trim() : line.slice(1, Math.max(at - 1, 1));
    const [row, text] = at ? [before, line.slice(at).trimEnd()] : ['', line];
    if (text.startsWith(COLUMN.trim())) {
      const ended = this.#take();
      this.#cell = { row, text };
      return ended;
    }
    if (this.#cell) {
      this.#cell.row += row;
      this.#cell.text += text;
    }
    return '';
  }

  /** The last row. */
  end() {
    const ended = this.#take();
    const { key, written } = this.#row ?? {};
    this.#row = null;
    return ended + lineOf(key, written);
  }

  /** Adds the cell to its row; gives the row before it when that has ended. */
  #take() {
    const { row, text } = this.#cell ?? { row: '', text: '' };
    this.#cell = null;
    const time = /, timestamp=([^,]+)/.exec(text)?.[1];
    if (!time) return '';
    const written = timeOf(time);
    if (this.#row?.key === row) {
      this.#row.written = Math.min(this.#row.written, written);
      return '';
    }
    const { key, written: before } = this.#row ?? {};
    this.#row = { key: row, written };
    return lineOf(key, before);
  }
}

/** @param {string} [key] @param {number} [written] */
const lineOf = (key, written) =>
  key === undefined ? '' : `${key}\t${Number.isNaN(written) ? '' : written}\n`;

/** Milliseconds by older shells, by newer ones a date without a zone. @param {string} text */
const timeOf = (text) =>
  /^\d+$/.test(text) ? Number(text) : Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
