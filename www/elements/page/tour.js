import { html, nothing } from 'lit';
import { startTour } from '../../actions/actions.js';
import { keepTourSeen, tourSeen } from '../../state/local-storage.js';
import { change, state } from '../../state/store.js';
import { say } from '../../text/sentences.js';
import { slices, View } from '../shared/view.js';

/** The element that each step shows. */
const STEPS = ['data-line', 'ask-questions', 'key-shortlist', 'verdict-line', 'heat-map', 'key-bar'];

/** Six steps through the page, offered until they were taken or skipped. */
export class PageTour extends View {
  static reads = slices('page');

  #seen = tourSeen();
  /** @type {Element | null} */
  #shown = null;
  /** The element that had the focus before the tour. @type {HTMLElement | null} */
  #before = null;
  /** @type {number | null} */
  #step = null;

  render() {
    const { tour } = state;
    if (tour === null)
      return this.#seen
        ? nothing
        : html`<button type="button" class="quiet offer" @click=${startTour}>${say('page.tour-offer')}</button>
          <button type="button" class="icon quiet" aria-label=${say('page.tour-never')} title=${say('page.tour-never')} @click=${this.#end}>✕</button>`;
    const last = tour === STEPS.length - 1;
    return html`<section class="tour" role="dialog" aria-labelledby="tour-title" aria-describedby="tour-text" tabindex="-1" @keydown=${this.#key}>
      <h2 id="tour-title">${say(`page.tour-title-${tour + 1}`)}</h2>
      <p id="tour-text">${say(`page.tour-text-${tour + 1}`)}</p>
      <div class="actions">
        <span class="muted figures">${say('page.tour-step', { step: tour + 1, of: STEPS.length })}</span>
        ${last ? nothing : html`<button type="button" class="quiet" @click=${this.#end}>${say('page.tour-skip')}</button>`}
        <button type="button" ?disabled=${tour === 0} @click=${() => this.#go(-1)}>${say('page.tour-back')}</button>
        <button type="button" class="main" @click=${() => (last ? this.#end() : this.#go(1))}>${say(last ? 'page.tour-done' : 'page.tour-next')}</button>
      </div>
    </section>`;
  }

  updated() {
    const { tour } = state;
    if (tour === this.#step) return;
    if (this.#step === null) this.#before = /** @type {HTMLElement | null} */ (document.activeElement);
    this.#step = tour;
    this.#shown?.classList.remove('toured');
    this.#shown = tour === null ? null : document.querySelector(STEPS[tour]);
    this.#shown?.classList.add('toured');
    this.#shown?.scrollIntoView({ block: tour === 0 ? 'center' : 'start' });
    const card = /** @type {HTMLElement | null} */ (this.querySelector('.tour'));
    (tour === null ? this.#before : card)?.focus({ preventScroll: true });
  }

  /** @param {number} by */
  #go(by) {
    change({ tour: Math.max(0, Math.min(STEPS.length - 1, (state.tour ?? 0) + by)) });
  }

  #end = () => {
    this.#seen = true;
    keepTourSeen();
    change({ tour: null });
    scrollTo({ top: 0 });
  };

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key === 'Escape') this.#end();
    else if (event.key === 'ArrowRight') this.#go(1);
    else if (event.key === 'ArrowLeft') this.#go(-1);
    else return;
    event.preventDefault();
  };
}
customElements.define('page-tour', PageTour);
