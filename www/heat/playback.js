/** Milliseconds in which all arrivals are played. */
const WHOLE = 12_000;
/** With less motion asked for: so many steps, each long enough to look at. */
const STEPS = 12;
const STEP_EVERY = 900;

/** The arrivals one after the other: a moment that moves from the first to the last. */
export class Playback {
  /** How far it is, from 0 to 1; null while everything is on show. @type {number | null} */
  now = null;
  playing = false;
  #told;
  #frame = 0;
  #last = 0;
  #calm = matchMedia('(prefers-reduced-motion: reduce)');

  /** @param {() => void} told called at each step */
  constructor(told) {
    this.#told = told;
  }

  toggle() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.now === null || this.now >= 1) this.now = 0;
    this.playing = true;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
    this.#told();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    this.#told();
  }

  /** @param {number} now from 0 to 1 */
  scrub(now) {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    this.now = Math.max(0, Math.min(1, now));
    this.#told();
  }

  /** Everything is on show again. */
  end() {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    this.now = null;
    this.#told();
  }

  #step = (/** @type {number} */ time) => {
    if (!this.playing || this.now === null) return;
    const passed = Math.max(0, time - this.#last);
    if (!this.#calm.matches || passed >= STEP_EVERY) {
      this.#last = time;
      this.now = Math.min(1, this.now + (this.#calm.matches ? 1 / STEPS : passed / WHOLE));
      if (this.now >= 1) this.playing = false;
      this.#told();
    }
    if (this.playing) this.#frame = requestAnimationFrame(this.#step);
  };
}
