import { jsonOf } from './page-files.js';
import { state } from './store.js';

/** @import { Design, Value } from '../types.d.ts' */

/**
 * An entry as `gallery/index.json` lists it. Those of the path for beginners have their place in it.
 * @typedef {{ slug: string, name: string, lesson: string, path?: number, step?: string, story: string, look: string, wrong?: string, better?: string, betterTable?: string, data: string, tables: number, generated: boolean }} Entry
 */

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/**
 * A file of the gallery, fetched once.
 * @template T
 * @param {string} name
 * @returns {Promise<T>}
 */
function file(name) {
  const known = asked.get(name);
  if (known) return known;
  const answer = jsonOf(`gallery/${name}`);
  asked.set(name, answer);
  answer.catch(() => asked.delete(name));
  return answer;
}

/** All entries, told in the language on show. @returns {Promise<Entry[]>} */
export async function entries() {
  /** @type {[Entry[], Record<string, Partial<Entry>>]} */
  const [list, told] = await Promise.all([
    file('index.json'),
    state.language === 'en' ? {} : /** @type {Promise<any>} */ (file(`${state.language}.json`)),
  ]);
  return list.map((entry) => ({ ...entry, ...told[entry.slug] }));
}

/** The path for beginners, in its order. @param {Entry[]} all */
export const pathOf = (all) =>
  all.filter(({ path }) => path).sort((one, other) => (one.path ?? 0) - (other.path ?? 0));

/** The design document of an entry. @param {string} slug @returns {Promise<Design>} */
export const designOf = (slug) => file(`${slug}.json`);

/** Where the records beside an entry are. @param {Entry} entry */
export const recordsOf = ({ data }) => new URL(`gallery/${data}`, document.baseURI).href;

/** The entry as an example that the bench can open. @param {Entry} entry */
export function exampleOf({ slug, name, story, data, generated }) {
  return {
    id: `gallery/${slug}`,
    title: name,
    story,
    design: `../gallery/${slug}.json`,
    ...(!generated && { data: `../gallery/${data}` }),
  };
}
