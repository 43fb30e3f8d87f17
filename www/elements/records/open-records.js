/** @import { RecordsDialog } from './records-dialog.js' */

/**
 * Opens the form for records without a file; it is fetched then.
 * @param {Parameters<RecordsDialog['open']>[0]} [way] how they are given, by default as the last time
 */
export async function openRecords(way) {
  await import('./records-dialog.js');
  const known = /** @type {RecordsDialog | null} */ (document.querySelector('records-dialog'));
  const dialog = known ?? document.body.appendChild(document.createElement('records-dialog'));
  await /** @type {RecordsDialog} */ (dialog).open(way);
}
