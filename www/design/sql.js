// Statements of Phoenix, told from other texts.

/** Matches statements of Phoenix, behind comments and frames; the shell of HBase puts the name of a table in quotes. */
const SQL =
  /^\s*(?:--[^\n]*\n\s*|[|+][-+\s|]*\n\s*)*\|?\s*(?:create\s+(?:immutable\s+)?(?:table|view|(?:uncovered\s+|local\s+)?index)\s+[\w"]|alter\s+table\s|select\s[^;]*?\sfrom\s)/i;

/** True if a text is SQL. @param {string} text */
export const isSql = (text) => SQL.test(text.slice(0, 1 << 16));
