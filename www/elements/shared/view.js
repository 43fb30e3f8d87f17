import { LitElement } from 'lit';
import { subscribe } from '../../state/store.js';

/** @import { Slice } from '../../state/store.js' */

/** Resolves after the frame that is due has been painted; at once while nothing is on show. */
export const afterFrame = () =>
  new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });

/**
 * Runs in the next frame, once, however often it is asked for: also when it is asked for again in that frame.
 * @param {() => void} run
 */
export function nextFrame(run) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      run();
    });
  };
}

/** Slices of the state, for `static reads` of a view. @param {Slice[]} names */
export const slices = (...names) => names;

/**
 * An element in the page's own tree and style sheet. It is drawn again when the state that it reads changes.
 */
export class View extends LitElement {
  /** Slices of the state that an update reads, besides the language. */
  static reads = slices();

  /** @type {(() => void) | undefined} */
  #stop;

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    const { reads } = /** @type {typeof View} */ (this.constructor);
    this.#stop = subscribe(() => this.requestUpdate(), ['language', ...reads]);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop?.();
  }
}
