import { keys, row } from './loading.js';
import { state } from './store.js';

/** The fields of a record, in the order that the engine gives them. */
export function recordFields() {
  const { input, source, design } = state;
  const made = /** @type {{ fields?: { name: string }[] } | undefined} */ (
    source?.kind === 'generator' ? source.spec : undefined
  );
  return input?.fields ?? made?.fields ?? design?.fields ?? [];
}

/** Values of a record in the middle of the table, by field; none without records. @returns {Promise<Record<string, string>>} */
export async function middleRecord() {
  if (state.phase !== 'ready' || !state.view?.held) return {};
  try {
    const key = await keys(Math.floor(state.view.held / 2), 1);
    const values = await row(key.rows[0]);
    return Object.fromEntries(recordFields().map(({ name }, index) => [name, values[index] ?? '']));
  } catch {
    return {};
  }
}
