// Light or dark, as the page around the figure is.

/** Attributes by which sites switch: of the root and of the body. */
const SWITCHES = {
  attributes: true,
  attributeFilter: ['class', 'style', 'data-theme', 'data-md-color-scheme', 'data-bs-theme', 'data-mode'],
};

const DARK = '(prefers-color-scheme: dark)';
/** Called when the page may look otherwise. @type {Set<() => void>} */
const listeners = new Set();
/** @type {MutationObserver} */
let observer;

function tell() {
  for (const listener of listeners) listener();
}

/** @param {() => void} listener @returns {() => void} what ends it */
export function onScheme(listener) {
  if (!listeners.size) {
    matchMedia(DARK).addEventListener('change', tell);
    observer ??= new MutationObserver(tell);
    observer.observe(document.documentElement, SWITCHES);
    observer.observe(document.body, SWITCHES);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size) return;
    matchMedia(DARK).removeEventListener('change', tell);
    observer.disconnect();
  };
}

/**
 * The scheme of what is behind an element: told by the first background that is one, so that no site need say it.
 * @param {Element} element
 * @returns {'light' | 'dark'}
 */
export function schemeBehind(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = parentOf(at)) {
    const [red, green, blue, alpha] = channels(getComputedStyle(at).backgroundColor);
    if (alpha > 0.5) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128 ? 'dark' : 'light';
  }
  // The canvas of a page without a background is dark only where the page says that it can be.
  const can = getComputedStyle(document.documentElement).colorScheme;
  const dark = can.includes('dark') && (!can.includes('light') || matchMedia(DARK).matches);
  return dark ? 'dark' : 'light';
}

/** @param {Element} element */
function parentOf(element) {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** @type {CanvasRenderingContext2D | null} */
let pixel;

/** A colour as numbers from 0 to 255 and its opacity, however it is written. @param {string} colour */
function channels(colour) {
  pixel ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!pixel) return [255, 255, 255, 0];
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
