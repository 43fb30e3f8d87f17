import { LitElement } from 'lit';
import { subscribe } from '../../state/store.js';

/** Resolves after the frame that is due has been painted; at once while nothing is on show. */
export const afterFrame = () =>
  new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });

/** Runs in the next frame, once, however often it is asked for: also when it is asked for again in that frame. @param {() => void} run */
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

/** An element that draws the state anew after each change, in the page's own tree and style sheet. */
export class View extends LitElement {
  /** @type {(() => void) | undefined} */
  #stop;

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stop = subscribe(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop?.();
  }
}
