import { tablesOf } from '../design/document.js';
import { state } from '../state/store.js';
import { figureText, rowsOf, sampledAs, sampleOf } from '../text/estimate.js';
import { bytes, count, percent } from '../text/format.js';
import { figuresOf, headline } from '../text/headline.js';
import { describe, detailOf, say } from '../text/sentences.js';

/** @import { Finding, Region, View } from '../types.d.ts' */

/** How the report looks: its policy lets no other style in. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:62rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.5rem}
h2{margin:2rem 0 .5rem;font-size:1.15rem}
p{margin:.25rem 0}
code{font-family:ui-monospace,monospace;font-size:.9em}
.verdict,.finding{margin:1rem 0;padding:.5rem 1rem;border-left:.3rem solid #57606a}
.bad{border-color:#d1242f}
.warning{border-color:#bf8700}
.good{border-color:#1a7f37}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:1rem 0}
dd{margin:0;font-size:1.25rem}
.picture,.table{overflow-x:auto}
svg{display:block}
table{border-collapse:collapse}
dd,table{font-variant-numeric:tabular-nums}
th,td{padding:.2rem .75rem .2rem 0;border-bottom:1px solid #8c959f;text-align:left;white-space:nowrap}
.number{text-align:right}
@media print{.finding,.picture{break-inside:avoid}}`;
/** Hash of `STYLE`, precomputed because crypto.subtle is unavailable on plain http. */
const HASH = 'sha256-LvMwwr5hcEeWqe9CaWyKWd624FV8IBGI80aL0gqTSew=';

/** Text that is HTML already. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @param {unknown} value @returns {string} */
function written(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  return String(value).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * HTML with values that are text, unless they were made here.
 * @param {TemplateStringsArray} parts
 * @param {unknown[]} values
 */
const markup = (parts, ...values) =>
  new Markup(parts.map((part, at) => part + (at < values.length ? written(values[at]) : '')).join(''));

/**
 * The visible figure as a self-contained HTML page: no script, no other file, no network.
 * @param {View} view
 * @param {string} figure as SVG
 */
export function reportOf(view, figure) {
  const { design, table, language, findings } = state;
  const { name = '', rowkey = '' } = { ...(design && tablesOf(design)[table]), name: design?.name };
  const { severity, title, detail } = headline(view, findings);
  const sample = sampleOf(view);
  const policy = `default-src 'none'; style-src '${HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} – Rowscape</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<h1>${name}</h1>
<p><code>${rowkey}</code></p>
<p class="verdict ${severity}"><strong>${say(`page.severity-${severity}`)}:</strong> ${title}</p>${
    detail
      ? markup`
<p>${detail}</p>`
      : ''
  }
<dl>${Object.entries(figuresOf(view)).map(([of, figure]) => markup`<div><dt>${say(`page.figure-${of}`)}</dt><dd>${figure}</dd></div>`)}</dl>
${view.sample && sample ? markup`<p>${say('page.sampled', sampledAs(view.sample))}</p>` : ''}<div class="picture">${new Markup(figure)}</div>
${findings?.length ? markup`<h2>${say('page.findings')}</h2>${findings.map(found)}` : ''}
<h2>${say('page.region-table')}</h2>
<div class="table"><table>
<thead><tr><th class="number">#</th><th>${say('page.start-key')}</th><th class="number">${say('page.rows')}</th><th class="number">${say('page.metric-share')}</th><th class="number">${say('page.key-bytes')}</th></tr></thead>
<tbody>${view.busiestRegions.map((region) => line(region, sample ? figureText(rowsOf(region.rows, sample)) : count(region.rows)))}</tbody>
</table></div>
</body>
</html>
`.text;
}

/** @param {Finding} finding */
function found({ code, name, severity, fix, args }) {
  const sentence = (/** @type {string} */ part) => describe({ code: `finding.${name}${part}`, args });
  const detail = detailOf({ code: `finding.${name}`, args });
  return markup`<section class="finding ${severity}">
<p><strong>${say(`page.finding-${severity}`)}: ${sentence('')}</strong></p>
${
  detail
    ? markup`<p>${detail}</p>
`
    : ''
}<p>${sentence('.why')}</p>
<p>${say('page.remedy')} ${sentence('.fix')}</p>
${fix?.rowkey ? markup`<p><code>${fix.rowkey}</code></p>` : ''}<p><small>${code}</small></p>
</section>
`;
}

/** @param {Region} region @param {string} rows */
const line = ({ index, start, share, bytes: held }, rows) =>
  markup`<tr><td class="number">${count(index)}</td><td><code>${start || say('page.first-key')}</code></td><td class="number">${rows}</td><td class="number">${percent(share)}</td><td class="number">${bytes(held)}</td></tr>
`;
