// Builds dist/docs, the documentation site, from the Markdown of the repository, the gallery and the
// declarations of the npm package. Its figures are live, by the element it documents.
//   npm run docs      after npm run build
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked } from 'marked';
import { declared } from '../check/api.mjs';
import { isProgram, program, ROOT, readJson, Told, timed } from '../run.mjs';
import { ELEMENT, NPM } from './package.mjs';

export const DOCS = join(ROOT, 'dist', 'docs');
const GALLERIES = ['gallery', 'products'].map((name) => join(ROOT, 'data', name));
const REPOSITORY = readJson(join(ROOT, 'package.json')).repository?.url?.replace(/^git\+|\.git$/g, '');

/** @typedef {{ path: string, title: string, body: string, group: string }} Page */
/**
 * @typedef {{ slug: string, story: string, look: string, data: string, wrong?: string, better?: string }} Entry
 */

/**
 * The Markdown of each page, in the order of the menu.
 * @type {[group: string, title: string, source: string][]}
 */
const SOURCES = [
  ['Start', 'Rowscape', 'README.md'],
  ['Start', 'Get started', 'docs/getting-started.md'],
  ['Start', 'Row keys in ten minutes', 'docs/learn-row-keys.md'],
  ['Start', 'Read the heatmap', 'docs/heatmap.md'],
  ['Guides', 'Choose a row key', 'docs/choose-a-key.md'],
  ['Guides', 'Plan queries', 'docs/plan-queries.md'],
  ['Guides', 'Size and pre-split a table', 'docs/sizing.md'],
  ['Guides', 'Use the key in your code', 'docs/use-the-key.md'],
  ['Guides', 'Migrate to a new row key', 'docs/migrate.md'],
  ['Guides', 'Tables in use', 'docs/observe.md'],
  ['Guides', 'Keys you already have', 'docs/row-keys.md'],
  ['Guides', 'Phoenix', 'docs/phoenix.md'],
  ['Guides', 'Tables larger than memory', 'docs/large-tables.md'],
  ['Guides', 'Spark', 'docs/spark.md'],
  ['Guides', 'Designs in pull requests', 'docs/in-ci.md'],
  ['Guides', 'Figures in your documentation', 'docs/embedding.md'],
  ['Reference', 'Documents, formulas, splits', 'docs/FORMAT.md'],
  ['Reference', 'Command line', 'docs/cli.md'],
  ['Reference', 'Findings', 'docs/FINDINGS.md'],
  ['Reference', 'npm package', 'docs/npm.md'],
  ['Reference', 'Python', 'bindings/python/README.md'],
  ['Reference', 'Summary files', 'docs/summary-format.md'],
  ['Reference', 'Browser and runtime support', 'docs/browsers.md'],
  ['How it works', 'Verdicts and their accuracy', 'docs/judgement.md'],
  ['How it works', 'Suggestions', 'docs/suggest.md'],
  ['How it works', 'Query planner', 'docs/planner.md'],
  ['How it works', 'Performance', 'docs/performance.md'],
  ['How it works', 'Architecture', 'docs/architecture.md'],
  ['How it works', 'Testing against a real HBase', 'docs/oracle.md'],
  ['How it works', 'Fuzzing', 'docs/fuzzing.md'],
  ['Project', 'Privacy', 'docs/privacy.md'],
  ['Project', 'Contributing', '.github/CONTRIBUTING.md'],
  ['Project', 'Decisions', 'docs/decisions/README.md'],
  ['Project', 'Translating', 'docs/translating.md'],
  ['Project', 'Changes', 'CHANGELOG.md'],
];

/** Pages whose sources share a name. @type {Record<string, string>} */
const NAMES = {
  'README.md': 'index.html',
  'bindings/python/README.md': 'python.html',
  'docs/decisions/README.md': 'decisions.html',
};

/** @param {string} source */
const pathOf = (source) => NAMES[source] ?? `${posix.basename(source, '.md').toLowerCase()}.html`;
const PATHS = new Map(SOURCES.map(([, , source]) => [source, pathOf(source)]));

/** @param {string} text */
const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? mark,
  );

/** A heading's anchor, as GitHub makes it. @param {string} text */
const anchor = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|&\w+;|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * Markdown as HTML, its links leading to the pages of the site.
 * @param {string} markdown
 * @param {string} source its path in the repository
 */
function html(markdown, source) {
  /** @type {Map<string, number>} */
  const taken = new Map();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        const id = anchor(text);
        const before = taken.get(id) ?? 0;
        taken.set(id, before + 1);
        const own = before ? `${id}-${before}` : id;
        return `<h${depth} id="${own}"><a href="#${own}">${text}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(target(href, source))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(posix.basename(href))}" alt="${escaped(text)}">`;
      },
    },
  });
  return /** @type {string} */ (marked.parse(markdown));
}

/** @param {string} href @param {string} source */
function target(href, source) {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [file, hash = ''] = href.split('#');
  const path = posix.normalize(posix.join(posix.dirname(source), file));
  const page = PATHS.get(path) ?? (path.startsWith('gallery') ? 'gallery.html' : undefined);
  if (page) return `${page}${hash && `#${hash}`}`;
  if (!existsSync(join(ROOT, path))) throw new Told(`${source} links to ${href}, which does not exist`);
  return REPOSITORY ? `${REPOSITORY}/blob/main/${path}` : `source/${path.replace(/\/$/, '')}`;
}

/** @param {string} slug @param {string} view @param {string} [data] */
const figure = (slug, view, data) =>
  `<rowscape-figure src="gallery/${slug}.json" view="${view}"${data ? ` data="gallery/${data}"` : ''}></rowscape-figure>`;

/** The gallery: its list, and a page an entry. @returns {Page[]} */
function gallery() {
  /** @type {Entry[]} */
  const entries = GALLERIES.flatMap((gallery) => readJson(join(gallery, 'index.json')));
  const designs = new Map(
    GALLERIES.flatMap((gallery) =>
      readJson(join(gallery, 'index.json')).map((/** @type {Entry} */ { slug }) => [
        slug,
        readJson(join(gallery, `${slug}.json`)),
      ]),
    ),
  );
  const name = (/** @type {string} */ slug) => escaped(designs.get(slug).name);
  const link = (/** @type {string} */ slug) => `<a href="${slug}.html">${name(slug)}</a>`;
  const list = entries.map(({ slug, look }) => `<li>${link(slug)}<br><small>${escaped(look)}</small></li>`);
  const pages = entries.map(({ slug, story, look, data, wrong, better }) => {
    const design = designs.get(slug);
    const records = design.generate || design.records ? undefined : data;
    const views = [
      'heatmap',
      ...(design.tables?.length > 1 ? ['compare'] : []),
      'bytes',
      ...(design.queries?.length ? ['queries'] : []),
    ];
    return {
      path: `${slug}.html`,
      group: '',
      title: design.name,
      body: `<h1>${name(slug)}</h1><p>${escaped(story)}</p><p><strong>Points to notice:</strong> ${escaped(look)}</p>
        ${views.map((view) => figure(slug, view, records)).join('\n')}
        ${wrong ? `<p><strong>Mistakes in common advice:</strong> ${escaped(wrong)}</p>` : ''}${better ? `<p><strong>Better:</strong> ${link(better)}</p>` : ''}
        <details><summary>The design</summary><pre><code>${escaped(JSON.stringify(design, null, 2))}</code></pre></details>`,
    };
  });
  const body = `<h1>Gallery</h1><p>Designs from published HBase practice, each drawn live with its records.</p><ul class="entries">${list.join('\n')}</ul>`;
  return [{ path: 'gallery.html', group: 'Reference', title: 'Gallery', body }, ...pages];
}

/** The interface of the npm package. @returns {Page} */
function interfaces() {
  const modules = declared().map(
    ({ module, declarations }) => `<h2 id="${module}"><a href="#${module}">${module}</a></h2>
    ${declarations
      .filter(({ name }) => name)
      .map(
        ({ name, comment, text }) => `<h3 id="${module}-${name}"><a href="#${module}-${name}">${name}</a></h3>
      ${html(comment.replace(/^@(\w+)/gm, '\n**$1**').replace(/\{@link ([^}]*)\}/g, '`$1`'), 'README.md')}<pre><code>${escaped(text)}</code></pre>`,
      )
      .join('\n')}`,
  );
  const body = `<h1>The npm package</h1><p>Entries: <code>rowscape</code>, <code>rowscape/keys</code>, <code>rowscape/slim</code>, <code>rowscape/element</code>, <code>rowscape/standalone</code>, <code>rowscape/rowscape.wasm</code>. Examples are in <a href="npm.html">npm package</a>.</p>${modules.join('\n')}`;
  return { path: 'api.html', group: 'Reference', title: 'npm API', body };
}

/** The file of records of an entry of the gallery, where its design names none. @param {string} slug */
function dataOf(slug) {
  /** @type {Entry[]} */
  const entries = GALLERIES.flatMap((gallery) => readJson(join(gallery, 'index.json')));
  const design = GALLERIES.map((gallery) => join(gallery, `${slug}.json`)).find((path) => existsSync(path));
  const { generate, records } = design ? readJson(design) : {};
  return generate || records ? undefined : entries.find((entry) => entry.slug === slug)?.data;
}

/** A figure for the pages that speak of what one shows. @type {Record<string, string>} */
const FIGURES = {
  'README.md':
    '<rowscape-figure src="examples/nyc-flights.json" data="examples/nyc-flights-2013-01.csv" caption="Flights kept under their departure time."></rowscape-figure>',
  'docs/FORMAT.md': figure('c1-bucket-of-the-phone', 'bytes'),
  'docs/FINDINGS.md': figure('i1-time-first', 'heatmap', 'i1-time-first.csv'),
  'docs/planner.md': figure('c1-bucket-of-the-phone', 'queries'),
  'docs/embedding.md': figure('c1-bucket-of-the-phone', 'heatmap'),
};

/** The pages in the order of the menu. @returns {Page[]} */
function pages() {
  const written = SOURCES.filter(([, , source]) => existsSync(join(ROOT, source))).map(
    ([group, title, source]) => {
      const body = html(readFileSync(join(ROOT, source), 'utf8'), source).replace(
        /<!-- figure: (\S+) (\S+) -->/g,
        (_, slug, view) => figure(slug, view, dataOf(slug)),
      );
      const live = FIGURES[source] ?? '';
      // Below the first paragraph, or in place of the still picture.
      const placed = /<p><img [^>]*><\/p>/.test(body)
        ? body.replace(/<p><img [^>]*><\/p>/, () => live)
        : body.replace(/<\/p>/, () => `</p>${live}`);
      return { path: pathOf(source), group, title, body: live ? placed : body };
    },
  );
  return [...written, interfaces(), ...gallery()];
}

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** @param {Page} page @param {Page[]} all */
function document({ path, title, body }, all) {
  const groups = [...new Set(all.map(({ group }) => group).filter(Boolean))];
  const menu = groups.map((group) => {
    const own = all.filter((page) => page.group === group);
    const items = own.map(
      (page) =>
        `<li><a href="${page.path}"${page.path === path ? ' aria-current="page"' : ''}>${escaped(page.title)}</a></li>`,
    );
    return `<li><span>${group}</span><ul>${items.join('')}</ul></li>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Rowscape</title><link rel="icon" href="icon.svg"><link rel="stylesheet" href="docs.css">
<script type="module" src="rowscape/element.js"></script><script type="module" src="search.js"></script></head>
<body><a class="skip" href="#content">To the text</a><header><a class="home" href="index.html">Rowscape</a> <a class="contents" href="#contents">Contents</a>
<search hidden><label>Search <input type="search" id="search" autocomplete="off" aria-controls="found"></label><ol id="found"></ol></search></header>
<nav id="contents" aria-label="Pages"><ul>${menu.join('')}</ul></nav>
<main id="content">${body}</main></body></html>
`;
}

/** Characters by their names. @type {Record<string, string>} */
const MARKS = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Words of a section that are searched. */
const SEARCHED = 2000;

/**
 * The sections of a page for the search: address, page, heading, text.
 * @param {Page} page
 * @returns {[string, string, string, string][]}
 */
function sections({ path, title, body }) {
  const plain = (/** @type {string} */ html) =>
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => MARKS[name] ?? "'")
      .replace(/\s+/g, ' ')
      .trim();
  const parts = body.split(/<h([1-4]) id="([^"]*)">(.*?)<\/h\1>/s);
  const found = [];
  for (let at = 1; at < parts.length; at += 4) {
    const [, id, heading, text] = parts.slice(at, at + 4);
    const words = plain(text).split(' ').slice(0, SEARCHED).join(' ');
    found.push(
      /** @type {[string, string, string, string]} */ ([`${path}#${id}`, title, plain(heading), words]),
    );
  }
  return found.length ? found : [[path, title, title, plain(body).slice(0, 4 * SEARCHED)]];
}

/** Builds the site. */
export function buildDocs() {
  if (!existsSync(join(NPM, 'element.js'))) throw new Told('run npm run build first: the figures need it');
  rmSync(DOCS, { recursive: true, force: true });
  mkdirSync(join(DOCS, 'rowscape'), { recursive: true });
  const all = pages();
  for (const page of all) writeFileSync(join(DOCS, page.path), document(page, all));
  writeFileSync(join(DOCS, 'search.json'), JSON.stringify(all.flatMap(sections)));
  cpSync(join(ROOT, 'docs', 'search.js'), join(DOCS, 'search.js'));
  for (const name of ELEMENT) cpSync(join(NPM, name), join(DOCS, 'rowscape', name));
  for (const gallery of GALLERIES) cpSync(gallery, join(DOCS, 'gallery'), { recursive: true });
  cpSync(join(ROOT, 'www', 'examples'), join(DOCS, 'examples'), { recursive: true });
  cpSync(join(ROOT, 'www', 'icon.svg'), join(DOCS, 'icon.svg'));
  cpSync(join(ROOT, 'docs', 'docs.css'), join(DOCS, 'docs.css'));
  for (const name of readdirSync(join(ROOT, 'docs')).filter((one) => /\.(png|svg)$/.test(one)))
    cpSync(join(ROOT, 'docs', name), join(DOCS, name));
  if (!REPOSITORY) copyLinked(all);
}

/** Files of the repository that pages link to, where no address of it is known. @param {Page[]} all */
function copyLinked(all) {
  const linked = all.flatMap(({ body }) =>
    Array.from(body.matchAll(/href="source\/([^"#]*)/g), ([, path]) => path),
  );
  for (const path of new Set(linked)) {
    mkdirSync(dirname(join(DOCS, 'source', path)), { recursive: true });
    cpSync(join(ROOT, path), join(DOCS, 'source', path), { recursive: true });
  }
}

if (isProgram(import.meta.url)) program(() => timed('Building the documentation', async () => buildDocs()));
