import { tablesOf, withLayout, withOutlook } from '../design/document.js';
import { MONTHS, PERIOD_DAYS, ROWS_PER_DAY, SERVERS, SPLIT_POLICY } from '../design/outlook-defaults.js';
import { valuesUnder } from '../design/sweeps.js';
import { askLanguage, table } from '../state/document-engine.js';
import { latestOnly } from '../state/engine.js';
import { askRecords } from '../state/loading.js';
import { change, state, subscribe } from '../state/store.js';
import { say } from '../text/sentences.js';
import { MILLISECONDS_PER_DAY } from '../text/units.js';

/** @import { Design, Growth, Parameter, Problem, Setting, Sizing } from '../types.d.ts' */
/** @import { State } from '../state/store.js' */

/**
 * Question of a tab to the core: the state that its answer depends on (a change of any value requests a new answer), and the
 * answer as state. A tab that shows only what the state has is not here.
 * @typedef {{ depends: () => unknown[], answer: () => Promise<object> }} TabAnswer
 */

/** @type {Partial<Record<State['tab'], TabAnswer>>} */
const ANSWERS = {
  findings: {
    depends: () => [state.design, state.view, state.table],
    answer: async () => {
      /** @type {Setting[]} */
      const settings = await askLanguage('settings', { ...current(), lengths: measured() });
      // Settings without a family belong to the table.
      return { settings: settings.map((setting) => ({ ...setting, family: setting.family ?? null })) };
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
    }),
  },
  growth: {
    depends: () => [state.design, state.view, state.check],
    answer: async () => {
      const { kind, days } = arrivals();
      const where = kind === 'rising' || kind === 'spread' ? kind : { [kind]: days };
      const regions = state.view?.regionCount ?? table()?.splits.regions ?? 1;
      const policy = state.design?.cluster?.splitPolicy ?? SPLIT_POLICY;
      const cluster = { policy, regions, servers: servers() };
      const ask = { ...current(), ...cluster, lengths: measured(), growth: growth(), arrivals: where };
      return { outlook: await askLanguage('outlook', ask), sizing: await sizing() };
    },
  },
  servers: {
    depends: () => [state.design, state.view, table()?.servers],
    answer: async () => ({
      load: state.view ? await askRecords('servers', { servers: servers() }) : null,
      reads: state.view ? await askRecords('reads', { ...current(), servers: servers() }) : null,
    }),
  },
  compare: {
    depends: () => [
      state.design,
      state.view,
      state.reference,
      state.varied,
      state.mostScans,
      state.designedSplits,
    ],
    answer: async () => {
      if (!state.view) return { comparison: null, parameters: [], sweep: null };
      const parameters = await askLanguage('parameters', current());
      return { parameters, comparison: await comparison(), sweep: await sweep(parameters) };
    },
  },
  migrate: {
    depends: () => [state.design, state.view, state.reference, state.way],
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
    depends: () => [state.design, state.view, state.table, state.exported],
    answer: async () => {
      const { exported } = state;
      const { make } = (await import('./exports.js')).chosen();
      if (!make) return { taken: null };
      try {
        return { taken: { name: exported, ...(await make()) } };
      } catch (error) {
        change({ taken: null });
        throw error;
      }
    },
  },
};

/** Designs that are compared: the one that was set aside, and the tables of the document. */
export function compared() {
  const { design, reference } = state;
  const document = JSON.stringify(design);
  const all = design ? tablesOf(design) : [];
  const now = say('page.compare-now');
  const tables = all.map(({ name }, index) => ({
    document,
    table: index,
    name: all.length > 1 ? name : now,
  }));
  return reference ? [reference, ...tables] : tables;
}

async function comparison() {
  const designs = compared();
  const documents = designs.map(({ document }) => document);
  const tables = designs.map(({ table: index }) => String(index));
  return designs.length > 1
    ? askRecords('compare', { documents, tables, designed: state.designedSplits })
    : null;
}

/** From one of the compared designs to another. */
export function wayOf() {
  const designs = compared();
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
    ({ parameter, number }) => parameter === varied?.parameter && number === varied.number,
  );
  if (!known) return null;
  const { parameter, number } = known;
  const values = valuesUnder(known, mostScans);
  const asked = { parameter, number, ...(values && { values }) };
  return { ...(await askRecords('sweep', { ...current(), asked })), mostScans };
}

/** @type {unknown[]} */
let answered = [];

/** @param {State['tab']} tab */
const dependsOf = (tab) => [tab, ...(ANSWERS[tab]?.depends() ?? [])];

const answer = latestOnly(async () => {
  const { tab } = state;
  const depends = dependsOf(tab);
  try {
    const found = await ANSWERS[tab]?.answer();
    answered = depends;
    change({ ...found, answerProblem: null });
  } catch (error) {
    answered = depends;
    const refusal = /** @type {Problem & { cancelled?: boolean }} */ (error);
    if (!refusal.cancelled) change({ answerProblem: refusal });
  }
});

/** The design and the records that the questions were planned for. @type {unknown[]} */
let planned = [];

/** Plans the questions whatever tab is open: the verdict and the bar tell their costs. */
const plan = latestOnly(async () => {
  try {
    change({ queries: await askRecords('queries', current()) });
  } catch {
    // The tab of the questions says why.
  }
});

/** Keeps the answer of the open tab up to date, and the plans of the questions. */
export function followReview() {
  subscribe(() => {
    const { design, tab, phase, view, findings } = state;
    if (!design || (phase !== 'ready' && phase !== 'empty')) return;
    // Plans take the rest of the module, which the findings have fetched.
    if (design.queries?.length && view && findings && tab !== 'queries') {
      const now = [design, view];
      if (now.some((one, at) => one !== planned[at])) {
        planned = now;
        void plan();
      }
    }
    const depends = dependsOf(tab);
    if (depends.some((one, at) => one !== answered[at])) {
      answered = depends;
      answer();
    }
  });
}

function current() {
  return { document: JSON.stringify(state.design), table: state.table };
}

/** Lengths of keys as measured; unknown without records. */
export function measured() {
  if (!state.view) return undefined;
  const { count, bytes, min, max } = state.view.keys;
  return { count, bytes, min, max };
}

/** Region servers. */
export const servers = () => table()?.servers ?? SERVERS;

/** Rows of the table whose bytes are told. */
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
