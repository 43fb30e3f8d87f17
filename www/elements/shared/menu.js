/** Closes a menu (`<details>`) on Escape, or once the focus is elsewhere. @param {KeyboardEvent | FocusEvent} event */
export function closeMenu(event) {
  const menu = /** @type {HTMLDetailsElement} */ (event.currentTarget);
  if (
    'key' in event ? event.key !== 'Escape' : menu.contains(/** @type {Node | null} */ (event.relatedTarget))
  )
    return;
  if (!('key' in event) && !event.relatedTarget) return;
  menu.open = false;
  if ('key' in event) menu.querySelector('summary')?.focus();
}
