import { LitElement } from 'lit';
import { subscribe } from '../store.js';

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
