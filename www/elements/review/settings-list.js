import { html, nothing } from 'lit';
import { nameOf } from '../../design/document.js';
import { alterCommand } from '../../design/shell-commands.js';
import { state } from '../../state/store.js';
import { describe, say } from '../../text/sentences.js';
import { copyable } from '../shared/copy.js';

/** @import { Setting } from '../../types.d.ts' */

/** Settings of the table that follow from its key, each with its reason. @param {Setting[]} settings */
export function settingsList(settings) {
  const { design, table } = state;
  if (!design || !settings.length) return nothing;
  return html`<div class="settings">
    <h3>${say('page.settings')}</h3>
    <dl>${settings.map(
      ({ family, name, value, configuration, reason }) => html`<div>
        <dt><code>${family === null ? name : `${family}: ${name}`}</code> <code class="value">${value.split('.').at(-1)}</code>
          ${Object.entries(configuration).map(([key, set]) => html`<code class="muted">${key} ${set}</code>`)}</dt>
        <dd>${describe(reason)}</dd></div>`,
    )}</dl>
    ${copyable(alterCommand(nameOf(design, table), settings), say('page.settings'))}
  </div>`;
}
