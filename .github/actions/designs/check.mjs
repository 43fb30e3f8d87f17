// Lints the designs that a pull request changes, and writes a comment on where their rows land before and after.
//   DESIGNS  files or folders      BASE     the commit to compare with; without it, all designs, and no "before"
//   FAIL_ON  severity              ROWSCAPE the command line        REPORTS  folder for comment.md and HTML reports
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';

const {
  DESIGNS = '.',
  BASE = '',
  FAIL_ON = 'bad',
  ROWSCAPE = 'npx --yes rowscape',
  REPORTS = 'rowscape-reports',
} = process.env;
const [program, ...first] = ROWSCAPE.split(/\s+/);
/** Begins the comment, by which it is found again. */
const MARK = '<!-- rowscape designs -->';
/** Letters of a comment that GitHub takes, less some for the last lines. */
const MOST = 60_000;
const SKIPPED = /^(node_modules|target|dist|\.git)$/;

/** @param {string[]} args */
function rowscape(...args) {
  const { stdout, stderr, status, error } = spawnSync(program, [...first, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  return { stdout, stderr, status };
}

/** @param {string[]} args */
const git = (...args) => spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });

/** True of the text of a design document. @param {string} text */
function isDesign(text) {
  try {
    const document = JSON.parse(text);
    return document?.rowscape === 1 && Boolean(document.rowkey ?? document.tables);
  } catch {
    // One that is no longer JSON is what a check is for.
    return /"rowscape"\s*:\s*1\b/.test(text);
  }
}

/** Design documents at or below a path. @param {string} path @returns {string[]} */
function designsAt(path) {
  if (statSync(path).isFile()) return isDesign(readFileSync(path, 'utf8')) ? [path] : [];
  const inside = readdirSync(path).filter((name) => !SKIPPED.test(name));
  return inside.sort().flatMap((name) => {
    const inner = join(path, name);
    return statSync(inner).isDirectory() || name.endsWith('.json') ? designsAt(inner) : [];
  });
}

/** The file as it was; null where it is new, or nothing is compared. @param {string} path */
function before(path) {
  if (!BASE) return null;
  const { stdout, status } = git('show', `${BASE}:./${path}`);
  return status === 0 && isDesign(stdout) ? stdout : null;
}

/** A fence longer than any in the text. @param {string} text */
function fenced(text) {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}\n`;
}

/** Escapes text for a cell of a Markdown table. @param {string} text */
const cell = (text) => text.replace(/[\\|<>&*_[\]`#@]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Verdict, busiest region and heatmap of a design with its records. @param {string} path @param {string} [html] */
function judged(path, html) {
  const json = rowscape('analyze', path, '--json');
  if (json.status !== 0 && json.status !== 1) return { problem: json.stderr.trim() || 'no answer' };
  const { report } = JSON.parse(json.stdout);
  const printed = rowscape('analyze', path, '--color', 'never', ...(html ? ['--html', html] : [])).stdout;
  const at = printed.search(/^(Rows|.*) by region \(start keys/m);
  const shares = report.regions.map((/** @type {{ share: number }} */ { share }) => share);
  return {
    verdict: report.verdict.title ?? report.verdict.message,
    severity: report.verdict.severity,
    regions: report.regionCount ?? report.regions.length,
    busiest: Math.max(0, ...shares),
    heat: at < 0 ? '' : printed.slice(at),
  };
}

const paths = DESIGNS.split(/\s+/).filter(Boolean).filter(existsSync).flatMap(designsAt);
/** A path that is no option. @param {string} path */
const named = (path) => (isAbsolute(path) ? path : `./${path}`);

const changed = paths.filter((path) => !BASE || git('diff', '--quiet', BASE, '--', path).status !== 0);
mkdirSync(REPORTS, { recursive: true });

/** @type {string[]} */
const sections = [];
let failed = false;
for (const [number, path] of changed.entries()) {
  const lint = rowscape('lint', named(path), '--fail-on', FAIL_ON, '--color', 'never');
  const html = join(REPORTS, `${number + 1}-${basename(path, '.json')}.html`);
  const after = judged(named(path), html);
  const old = before(path);
  const oldPath = join(REPORTS, `${number + 1}-${basename(path, '.json')}.before.json`);
  if (old) writeFileSync(oldPath, old);
  const was = old ? judged(named(oldPath)) : null;
  const bad = after.severity === 'bad' && FAIL_ON !== 'none';
  failed ||= lint.status !== 0 || bad;
  let comment = `### ${cell(path)}\n\n`;
  comment += '| | verdict | regions | busiest region |\n|---|---|---|---|\n';
  for (const [name, of] of /** @type {const} */ ([
    ['before', was],
    ['after', after],
  ])) {
    if (!of) continue;
    comment += of.problem
      ? `| ${name} | ${cell(of.problem.split('\n')[0])} | | |\n`
      : `| ${name} | ${cell(of.verdict)} | ${of.regions} | ${(100 * of.busiest).toFixed(1)}% |\n`;
  }
  comment += '\n';
  for (const [name, of] of /** @type {const} */ ([
    ['before', was],
    ['after', after],
  ])) {
    if (of?.heat)
      comment += `<details${name === 'after' ? ' open' : ''}><summary>Rows by region and time, ${name}</summary>\n\n${fenced(of.heat)}\n</details>\n\n`;
  }
  const findings = (lint.stdout + lint.stderr).trim();
  if (findings)
    comment += `<details><summary>Checks without records</summary>\n\n${fenced(findings)}\n</details>\n\n`;
  sections.push(comment);
}
let comment = `${MARK}\n## Row key designs\n\n`;
for (const [number, section] of sections.entries()) {
  if (comment.length + section.length > MOST) {
    comment += `… and ${sections.length - number} more, in the reports.\n`;
    break;
  }
  comment += section;
}
if (!sections.length) comment += 'No design changed.\n';
writeFileSync(join(REPORTS, 'comment.md'), comment);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, comment);
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `designs=${changed.length}\n`);
console.log(comment);
process.exitCode = failed ? 1 : 0;
