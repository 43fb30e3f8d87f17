import { MIB } from '../text/units.js';
import { withTable } from './document.js';

/**
 * A design as the end of an address: `#v1.` and base64url(deflate-raw(JSON)). It never holds records; a
 * profile of them may stand in the place of `generate`.
 */

/** @import { Design, LinkProfile } from '../types.d.ts' */

const MARK = '#v1.';
/** Characters of an address that browsers, chats and mail programs still carry. */
export const LONGEST_LINK = 16_000;
/** Characters of a link that are read. */
const LONGEST_READ = 200_000;
/** Bytes that a link may unpack to. */
const LARGEST = 4 * MIB;

/**
 * The address of a design; none when it would be too long.
 * @param {Design} design
 * @returns {Promise<string | null>}
 */
export async function linkOf(design) {
  const packed = new Blob([JSON.stringify(design)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const link = `${location.href.replace(/#.*/s, '')}${MARK}${base64url(bytes)}`;
  return link.length > LONGEST_LINK ? null : link;
}

/**
 * A design with a profile of the records: generated ones that land alike.
 * @param {Design} design
 * @param {LinkProfile} profile
 * @returns {Design}
 */
export function withProfile(design, profile) {
  const { records: _, ...rest } = withoutPoints(design, profile);
  return { ...rest, generate: profile.generate };
}

/**
 * A design without the split points that were made from the records: equal shares take their place.
 * @param {Design} design
 * @param {LinkProfile} profile
 * @returns {Design}
 */
export function withoutPoints(design, { splits }) {
  return splits.reduce(
    (all, regions, index) => (regions ? withTable(all, index, { splits: { sample: regions } }) : all),
    design,
  );
}

/**
 * The text of the document that the end of an address holds.
 * @param {string} hash
 * @returns {Promise<{ text: string } | { code: string } | null>} why it can't be read; null when it is no link to a design
 */
export async function textOf(hash) {
  if (/^#v([2-9]|\d\d+)\./.test(hash)) return { code: 'page.link-newer' };
  if (!hash.startsWith(MARK)) return null;
  try {
    if (hash.length > LONGEST_READ) return { code: 'page.link-broken' };
    const text = await unpacked(bytesOf(decodeURIComponent(hash.slice(MARK.length))));
    JSON.parse(text);
    return { text };
  } catch {
    return { code: 'page.link-broken' };
  }
}

/** @param {Uint8Array<ArrayBuffer>} packed */
async function unpacked(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    // A short link can unpack to very much.
    if (text.length > LARGEST) {
      await reader.cancel();
      throw new Error('too long');
    }
  }
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function bytesOf(text) {
  if (!/^[\w-]+$/.test(text)) throw new Error('not base64url');
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}
