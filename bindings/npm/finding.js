// Findings about a design, and the edits that fix them.

/** @import { Problem } from './error.js' */

/**
 * A finding about a design; FINDINGS.md lists all codes.
 * @typedef {object} Finding
 * @property {string} code such as `RS101`
 * @property {string} name
 * @property {'bad' | 'warning' | 'note'} severity
 * @property {string} [kind] the kind of records it concerns, if the table holds several
 * @property {[number, number]} [columns] of the formula, 1-based, end exclusive
 * @property {Record<string, string>} args the evidence
 * @property {string} title what was found, without a final period
 * @property {string} detail the evidence; empty if the title says it all
 * @property {string} message title and detail in one string
 * @property {string} why why it matters
 * @property {string} remedy what to do
 * @property {Fix} [fix] the edit of the design that fixes it
 * @property {string} reference where to read more
 */

/**
 * An edit of the design: members of its table, and the queries of the document.
 * @typedef {object} Fix
 * @property {string} [rowkey]
 * @property {Record<string, unknown>} [splits]
 * @property {Record<string, unknown>[]} [families]
 * @property {Record<string, unknown>[]} [queries]
 * @property {Record<string, unknown>[]} [tables] all tables of the document, replacing the existing ones
 * @property {Problem[]} [costs] what it makes more expensive: queries, row keys, rows to write again
 * @property {{ rows: number, of: number, estimated?: true, verdict: object }} [measured] the verdict on the edited design for
 *   the same records, or a sample of them
 */

export {};
