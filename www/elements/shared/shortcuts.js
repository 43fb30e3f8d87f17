import { keptShortcuts } from '../../state/local-storage.js';

/** Places where a key has its own meaning. */
const OWN =
  'input:not([type=radio], [type=checkbox]), select, textarea, dialog, [popover], [role=application]';

/**
 * The single key that was pressed for the page, in lowercase: none while a field has the focus, or once a person has turned these
 * keys off.
 * @param {KeyboardEvent} event
 */
export function shortcutOf({ key, target, ctrlKey, metaKey, altKey, defaultPrevented }) {
  if (defaultPrevented || ctrlKey || metaKey || altKey || !keptShortcuts()) return '';
  if (target instanceof Element && target.closest(OWN)) return '';
  return key.toLowerCase();
}
