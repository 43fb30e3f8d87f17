// MD5 of one block in plain JavaScript, its 64 steps unrolled: input of at most 55 ASCII characters.

/** The block: sixteen little-endian words, seen as words and as bytes. */
export const words = new Int32Array(16);
export const block = new Uint8Array(words.buffer);
/** The digest of the block, four little-endian words. */
export const digest = new Uint32Array(4);

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 4294967296) | 0);

function unrolled() {
  const lines = ['let a=0x67452301,b=0xefcdab89|0,c=0x98badcfe|0,d=0x10325476;'];
  for (let i = 0; i < 16; i++) lines.push(`const m${i}=words[${i}];`);
  let names = ['a', 'b', 'c', 'd'];
  for (let i = 0; i < 64; i++) {
    const [a, b, c, d] = names;
    const round = i >> 4;
    const mix = [
      `(${d}^(${b}&(${c}^${d})))`,
      `(${c}^(${d}&(${b}^${c})))`,
      `(${b}^${c}^${d})`,
      `(${c}^(${b}|~${d}))`,
    ];
    const word = [i, (5 * i + 1) & 15, (3 * i + 5) & 15, (7 * i) & 15];
    const shift = SHIFTS[round * 4 + (i & 3)];
    lines.push(`${a}=(${a}+${mix[round]}+m${word[round]}+${SINES[i]})|0;`);
    lines.push(`${a}=(((${a}<<${shift})|(${a}>>>${32 - shift}))+${b})|0;`);
    names = [d, a, b, c];
  }
  lines.push('digest[0]=a+0x67452301;digest[1]=b+0xefcdab89;digest[2]=c+0x98badcfe;digest[3]=d+0x10325476;');
  return lines.join('\n');
}

/** Digests `block` into `digest`. */
export const md5Block = new Function('words', 'digest', `return function md5Block(){${unrolled()}}`)(
  words,
  digest,
);

/** Fills the block with an ASCII text and digests it. @param {string} text */
export function md5Text(text) {
  const n = text.length;
  words.fill(0);
  for (let i = 0; i < n; i++) block[i] = text.charCodeAt(i);
  block[n] = 0x80;
  words[14] = n << 3;
  md5Block();
}

/** The first eight hexadecimal digits of the MD5 of an ASCII text. @param {string} text */
export function md5Prefix(text) {
  md5Text(text);
  const h = digest[0];
  return HEX[h & 255] + HEX[(h >>> 8) & 255] + HEX[(h >>> 16) & 255] + HEX[h >>> 24];
}
