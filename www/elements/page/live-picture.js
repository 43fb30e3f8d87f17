import { LitElement } from 'lit';
import { paintPreview } from '../../heat/preview.js';
import { scheme } from '../../state/theme.js';

/** @import { Preview } from '../../types.d.ts' */

/** The picture of an example as it was drawn when the page was built. */
export class LivePicture extends LitElement {
  static properties = { preview: { attribute: false }, scheme: { attribute: false } };

  constructor() {
    super();
    /** @type {Preview | undefined} */
    this.preview = undefined;
    /** Named so that a change of it draws anew. */
    this.scheme = scheme();
  }

  createRenderRoot() {
    return this;
  }

  updated() {
    if (!this.preview) return;
    const canvas = this.querySelector('canvas') ?? this.appendChild(document.createElement('canvas'));
    paintPreview(canvas, this.preview, this.scheme);
  }
}
customElements.define('live-picture', LivePicture);
