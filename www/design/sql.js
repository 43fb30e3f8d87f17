// Texts that may be SQL, told from others before the module that reads it is fetched.

/** Letters that are looked at. */
const HEAD = 1 << 16;
const COMMENT = /^(?:--|\/\/)[^\n]*|^\/\*[\s\S]*?\*\//;
const FIRST_WORD = /^(?:alter|create|delete|explain|select|upsert)\s/i;

/** False for a text that is no SQL; the core tells it of the others. @param {string} text */
export function mayBeSql(text) {
  for (let rest = text.slice(0, HEAD); ; ) {
    // The shell draws frames.
    rest = rest.replace(/^[\s|+;\ufeff]+/, '');
    const comment = COMMENT.exec(rest);
    if (!comment) return FIRST_WORD.test(rest);
    rest = rest.slice(comment[0].length);
  }
}
