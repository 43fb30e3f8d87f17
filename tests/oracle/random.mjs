// Random choices that a seed repeats.

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, exclusive (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. @param {number} least @param {number} most */
  between(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** @param {number} least @param {number} most length */
  bytes(least, most) {
    return Uint8Array.from({ length: this.between(least, most) }, () =>
      this.chance(0.25) ? this.pick([0, 1, 0x7f, 0x80, 0xfe, 0xff]) : this.between(0, 255),
    );
  }

  /** @param {string} alphabet @param {number} least @param {number} most length in characters */
  text(alphabet, least, most) {
    const characters = Array.from(alphabet);
    return Array.from({ length: this.between(least, most) }, () => this.pick(characters)).join('');
  }
}
