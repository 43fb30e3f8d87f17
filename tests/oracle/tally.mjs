// Totals of comparisons, differences and measurements.

const DIFFERENCES_SHOWN = 20;

export class Tally {
  /** @type {Record<string, number>} */
  compared = {};
  differences = 0;
  /** @type {string[]} */
  shown = [];
  /** How far estimates are off, in percent, by what is estimated. @type {Record<string, number[]>} */
  errors = {};

  /**
   * @param {string} what
   * @param {{ compared: Record<string, number>, differences: number, told: string[], errors?: Record<string, number[]> }} verdict
   */
  add(what, { compared, differences, told, errors = {} }) {
    for (const [name, count] of Object.entries(compared)) this.compared[name] = this.count(name) + count;
    for (const [name, all] of Object.entries(errors)) {
      this.errors[name] ??= [];
      this.errors[name].push(...all);
    }
    this.differences += differences;
    for (const sentence of told) {
      if (this.shown.length < DIFFERENCES_SHOWN) this.shown.push(`${what}\n      ${sentence}`);
    }
  }

  /** How often something was compared. @param {string} what */
  count(what) {
    return this.compared[what] ?? 0;
  }

  /** The lines to print, counts in the order in which they first came. */
  *lines() {
    for (const [what, count] of Object.entries(this.compared)) yield `${count.toLocaleString('en')} ${what}`;
    const signed = (/** @type {number} */ percent) =>
      `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}%`;
    for (const [what, all] of Object.entries(this.errors)) {
      const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
      const ends = [Math.min(...all), Math.max(...all)].map(signed).join(' to ');
      yield `${what}: ${signed(mean)} on average, ${ends}, ${all.length} times`;
    }
  }
}
