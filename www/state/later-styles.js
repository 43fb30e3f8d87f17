// The styles of everything that is loaded after the first picture: a file of its own, fetched once.

/** @type {Promise<void> | null} */
let fetched = null;

/**
 * Resolves when the styles are there, or can't be had: an element without its styles is better than none.
 * @returns {Promise<void>}
 */
export function laterStyles() {
  fetched ??= new Promise((resolve) => {
    // The page in one file has its styles inside.
    if (!document.querySelector('link[rel="stylesheet"]')) return resolve();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL('later.css', import.meta.url).href;
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
  return fetched;
}
