import { tablesOf, withLayout, withOutlook, withTable } from '../design/document.js';
import { MONTHS, PERIOD_DAYS, ROWS_PER_DAY, SERVERS } from '../design/outlook-defaults.js';
import { valuesUnder } from '../design/sweeps.js';
import { askLanguage, table } from '../state/document-engine.js';
import { latestOnly } from '../state/engine.js';
import { askRecords } from '../state/loading.js';
import { change, state, subscribe } from '../state/store.js';
import { say } from '../text/sentences.js';
import { MILLISECONDS_PER_DAY } from '../text/units.js';

/** @import { Design, Growth, Life, Outlook, Parameter, Problem, Setting, Sizing } from '../types.d.ts' */
/** @import { State } from '../state/store.js' */

/** Regions that compared designs are given alike. */
const MOST_SHARES = 1000;

/**
 * Question of a place to the core: the state that its answer depends on (a change of any value requests a new answer), and the
 * answer as state.
 * @typedef {{ depends: () => unknown[], answer: () => Promise<object> }} PlaceAnswer
 */

/** @satisfies {Record<string, PlaceAnswer>} */
const ANSWERS = {
  settings: {
    depends: () => [state.design, state.view, state.table],
    answer: async () => {
      /** @type {{ settings: Setting[], command: string }} */
      const found = await askLanguage('settings', { ...current(), lengths: measured() });
      await import('../text/later-sentences.js');
      // Settings without a family belong to the table.
      const settings = found.settings.map((setting) => ({ ...setting, family: setting.family ?? null }));
      return { settings, settingsCommand: found.command };
    },
  },
  queries: {
    depends: () => [state.design, state.view],
    answer: async () => {
      const engine = state.view ? askRecords : askLanguage;
      return { queries: await engine('queries', current()) };
    },
  },
  storage: {
    depends: () => [state.design, state.view, state.storageRows],
    answer: async () => ({
      storage: await askLanguage('storage', { ...current(), lengths: measured(), rows: rowsAsked() }),
      // A sample of the records has too few versions.
      left: state.view?.held === state.view?.rows && state.view ? await askRecords('left', current()) : null,
    }),
  },
  growth: {
    depends: () => [state.design, state.view, state.check],
    answer: async () => ({ outlook: await outlook(), sizing: await sizing() }),
  },
  servers: {
    depends: () => [state.design, state.view, table()?.servers],
    answer: async () => ({
      load: state.view ? await askRecords('servers', { servers: servers() }) : null,
      reads: state.view ? await askRecords('reads', { ...current(), servers: servers() }) : null,
    }),
  },
  sweep: {
    depends: () => [state.design, state.view, state.varied, state.mostScans],
    answer: async () => {
      const parameters = await askLanguage('parameters', current());
      return { parameters, sweep: state.view && (await sweep(parameters)) };
    },
  },
  compare: {
    depends: () => [state.design, state.view, state.pins, state.designedSplits],
    answer: async () => ({ comparison: state.view && (await comparison()) }),
  },
  migrate: {
    depends: () => [state.design, state.view, state.pins, state.applied, state.past, state.way],
    answer: async () => ({ migration: await migration() }),
  },
  existing: {
    depends: () => [state.design, state.view, state.table, state.pasted],
    answer: async () => {
      const engine = state.view ? askRecords : askLanguage;
      return { existing: state.pasted && (await engine('existing', { ...current(), ...state.pasted })) };
    },
  },
  export: {
    depends: () => {
      const { design, view, table, kind, exported, exportedFor, sheet } = state;
      return [design, view, table, kind, exported, exportedFor, sheet];
    },
    answer: async () => {
      const { name, make } = (await import('./exports.js')).chosen() ?? {};
      if (!make) return { taken: null };
      try {
        return { taken: { name, ...(await make()) } };
      } catch (error) {
        change({ taken: null });
        throw error;
      }
    },
  },
};

/** Answers of each tab. @type {Record<State['tab'], (keyof typeof ANSWERS)[]>} */
const OF_TAB = {
  writes: ['settings'],
  questions: ['queries'],
  regions: ['sweep'],
  storage: ['storage', 'growth'],
  servers: ['servers'],
};

/** Answers that the open places show. @returns {(keyof typeof ANSWERS)[]} */
function wanted() {
  const { tab, sheet, comparing, place, design, view, findings } = state;
  const names = new Set(OF_TAB[tab]);
  if (comparing) names.add('compare');
  if (sheet) names.add(sheet === 'migrate' ? 'migrate' : 'export');
  if (place.view === 'table') names.add('existing');
  // The verdict and the bar tell the costs of questions. Plans take the rest of the module, which the findings have
  // fetched.
  if (design?.queries?.length && view && findings) names.add('queries');
  return [...names];
}

/** Designs that are compared: two that are pinned, else one with the tables of the document. */
export function compared() {
  const { design, pins } = state;
  if (pins.length > 1) return pins;
  const document = JSON.stringify(design);
  const all = design ? tablesOf(design) : [];
  const now = say('page.compare-now');
  const tables = all.map(({ name }, index) => ({
    document,
    table: index,
    name: all.length > 1 ? name : now,
  }));
  return [...pins, ...tables];
}

/**
 * The compared designs as they are measured: with as many equal shares of the records each, so that their keys are compared and not
 * their split points, unless their own are asked for.
 */
export function comparedAlike() {
  const { designedSplits, view } = state;
  const designs = compared();
  if (designedSplits || !view || view.regionCount > Math.min(MOST_SHARES, view.held)) return designs;
  const splits = { sample: view.regionCount };
  return designs.map((one) => {
    const alike = withTable(JSON.parse(one.document), one.table, { splits });
    return { ...one, document: JSON.stringify(alike) };
  });
}

async function comparison() {
  const designs = comparedAlike();
  const documents = designs.map(({ document }) => document);
  const tables = designs.map(({ table: index }) => String(index));
  return designs.length > 1
    ? askRecords('compare', { documents, tables, designed: state.designedSplits })
    : null;
}

/** The design before its key was changed last, to migrate from. */
function former() {
  const { design, applied, past, table: index } = state;
  if (!design) return [];
  const key = (/** @type {Design | null} */ of) => of && tablesOf(of)[index]?.rowkey;
  const last = past.findLast((moment) => key(moment.design) && key(moment.design) !== key(design));
  const before = applied?.before ?? last?.design;
  if (!before) return [];
  const name = say(applied ? 'page.compare-unfixed' : 'page.compare-before');
  return [{ document: JSON.stringify(before), table: index, name }];
}

/** From one of the compared designs to another. */
export function wayOf() {
  const known = compared();
  const designs = known.length > 1 ? known : [...former(), ...known];
  const [from, to] = state.way.map((index) => Math.min(index, designs.length - 1));
  return { designs, from, to: to === from ? (from + 1) % Math.max(1, designs.length) : to };
}

function migration() {
  const { designs, from, to } = wayOf();
  if (from === to) return null;
  const ends = [designs[from], designs[to]];
  const documents = ends.map(({ document }) => document);
  const tables = ends.map(({ table: index }) => String(index));
  return (state.view ? askRecords : askLanguage)('migration', { documents, tables });
}

/**
 * Tries other values of what was chosen, unless the design has no such thing any more.
 * @param {Parameter[]} parameters
 */
async function sweep(parameters) {
  const { varied, mostScans } = state;
  const known = parameters.find(
    ({ parameter, number, kind }) =>
      parameter === varied?.parameter && number === varied.number && kind === varied.kind,
  );
  if (!known) return null;
  const { parameter, number, kind } = known;
  const values = valuesUnder(known, mostScans);
  const asked = { parameter, number, kind, ...(values && { values }) };
  return { ...(await askRecords('sweep', { ...current(), asked })), mostScans };
}

/** The state that each answer was asked for. @type {Map<keyof typeof ANSWERS, unknown[]>} */
const answered = new Map();

/** Asks for each answer, one after the other. */
const asks = new Map(
  Object.entries(ANSWERS).map(([key, { depends, answer }]) => {
    const name = /** @type {keyof typeof ANSWERS} */ (key);
    const tell = (/** @type {Problem | null} */ problem) =>
      problem === (state.answerProblems[name] ?? null)
        ? {}
        : { answerProblems: { ...state.answerProblems, [name]: problem } };
    const ask = latestOnly(async () => {
      const now = depends();
      try {
        const found = await answer();
        answered.set(name, now);
        change({ ...found, ...tell(null) });
      } catch (error) {
        answered.set(name, now);
        const refusal = /** @type {Problem & { cancelled?: boolean }} */ (error);
        if (!refusal.cancelled) change(tell(refusal));
      }
    });
    return [name, ask];
  }),
);

/** Keeps the answers of the open places up to date. */
export function followReview() {
  subscribe(() => {
    const { design, phase } = state;
    if (!design || (phase !== 'ready' && phase !== 'empty')) return;
    for (const name of wanted()) {
      const now = ANSWERS[name].depends();
      const before = answered.get(name);
      if (before && now.every((one, at) => one === before[at])) continue;
      answered.set(name, now);
      void asks.get(name)?.();
    }
  });
}

export function current() {
  return { document: JSON.stringify(state.design), table: state.table };
}

/** Lengths of keys as measured; unknown without records. */
export function measured() {
  if (!state.view) return undefined;
  const { count, bytes, min, max, cells, duplicates } = state.view.keys;
  return { count, bytes, min, max, cells, duplicates };
}

/** Region servers. */
export const servers = () => table()?.servers ?? SERVERS;

/** Records of the table whose bytes are told. */
export function rowsAsked() {
  return state.storageRows ?? state.view?.keys.count ?? ROWS_PER_DAY;
}

/** How the table grows: as the document says, else as the records came. @returns {Growth} */
export function growth() {
  if (state.design?.growth) return state.design.growth;
  const { time = null, keys } = state.view ?? {};
  const days = time ? (time.step * time.buckets) / MILLISECONDS_PER_DAY : 0;
  const rowsPerDay = days > 0 && keys ? Math.max(1, Math.round(keys.count / days)) : ROWS_PER_DAY;
  return { rowsPerDay, months: MONTHS };
}

/**
 * Regions by every rule, for the growth and the servers that are looked at; none for a growth that can't be.
 * @param {Design | null} [design]
 * @param {ReturnType<typeof measured>} [lengths] of its keys
 * @returns {Promise<Sizing | null>}
 */
export async function sizing(design = state.design, lengths = measured()) {
  const { table: index } = state;
  if (!design) return null;
  const grown = withLayout(withOutlook(design, { growth: growth() }), index, { servers: servers() });
  try {
    return await askLanguage('sizing', {
      document: JSON.stringify(grown),
      table: index,
      lengths,
    });
  } catch {
    return null;
  }
}

/** Months of the table ahead, under the growth that is looked at. @returns {Promise<Outlook | null>} */
async function outlook() {
  if (!state.design) return null;
  const { kind, days } = arrivals();
  const asked = {
    arrivals: kind === 'rising' || kind === 'spread' ? kind : { [kind]: days },
    regions: state.view?.regionCount ?? table()?.splits.regions ?? 1,
    servers: servers(),
  };
  const document = JSON.stringify(withOutlook(state.design, { growth: growth() }));
  const none = { bytesPerDay: 0, before: 0, life: null };
  try {
    /** @type {Life & { bytesPerDay: number, before: number }} */
    const found = await askLanguage('outlook', { document, table: state.table, lengths: measured(), asked });
    const { bytesPerDay, before, days: lived, stopped } = found;
    if (!lived.length && stopped) return { ...none, bytesPerDay, before, problems: [stopped] };
    return { bytesPerDay, before, life: { days: lived, ...(stopped && { stopped }) }, problems: [] };
  } catch (error) {
    const refusal = /** @type {Problem & { problems?: Problem[], cancelled?: boolean }} */ (error);
    if (refusal.cancelled || !refusal.code) throw error;
    return { ...none, problems: refusal.problems ?? [refusal] };
  }
}

/** Where rows come: as the document says, else at the end when the key begins with the time in order. */
export function arrivals() {
  const told = state.design?.growth?.arrivals;
  if (typeof told === 'string') return { kind: told, days: PERIOD_DAYS };
  for (const [kind, days] of Object.entries(told ?? {})) {
    return { kind: /** @type {'loop' | 'tablePerPeriod'} */ (kind), days };
  }
  const first = state.check?.parts.find(({ fields }) => fields.length);
  const rising = first && first.fields[0] === table()?.arrival && /^(strict|weak)$/.test(first.order);
  return { kind: /** @type {'rising' | 'spread'} */ (rising ? 'rising' : 'spread'), days: PERIOD_DAYS };
}
