/** Each byte as the HBase shell prints it (`Bytes.toStringBinary`). */
const printed = Array.from({ length: 256 }, (_, byte) =>
  byte < 32 || byte > 126 || byte === 92
    ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
    : String.fromCharCode(byte),
);

/**
 * Bytes in `\xNN` notation.
 * @param {Uint8Array} bytes
 */
export function escaped(bytes) {
  let text = '';
  for (const byte of bytes) text += printed[byte];
  return text;
}
