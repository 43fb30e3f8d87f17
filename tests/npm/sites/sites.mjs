// A site of each tool with a figure in it, as docs/embedding.md says.
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ELEMENT, NPM } from '../../../scripts/build/package.mjs';
import { begin } from '../../../scripts/run.mjs';
import { DESIGN, RECORDS } from '../../browser/chromium/orders.mjs';
import { mdbook, node, python } from './tools.mjs';

/** @param {string} folder @param {Record<string, string>} files */
function write(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** The files of the element, and what the figure shows. @param {string} scripts @param {string[]} names @param {string} data */
function put(scripts, names, data) {
  for (const name of names) cpSync(join(NPM, name), join(scripts, name));
  write(data, { 'orders.json': JSON.stringify(DESIGN), 'orders.csv': RECORDS });
}

/**
 * Builds a site by a tool of npm, in a folder that has its packages.
 * @param {string} folder
 * @param {string} tool
 * @param {string} program below its packages
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runNode(folder, tool, program, env) {
  const packages = join(node(tool), 'node_modules');
  symlinkSync(packages, join(folder, 'node_modules'), 'junction');
  await begin(process.execPath, [join(packages, program), 'build'], { cwd: folder, env, quiet: true });
}

/** @param {string} base of the addresses @param {string} [inside] */
const figure = (base, inside = '') =>
  `<rowscape-figure src="${base}orders.json" data="${base}orders.csv">${inside}</rowscape-figure>`;
const TEXT = 'Where the orders land, before the table exists.';

/**
 * A site with a figure.
 * @typedef {{ tool: string, build: (folder: string) => Promise<{ root: string, page: string }> }} Site
 */

/**
 * Each builds its site in an empty folder and gives the folder to serve, and the page the figure is in.
 * @type {Record<string, Site>}
 */
export const SITES = {
  'MkDocs Material': {
    tool: 'python',
    build: async (folder) => {
      put(join(folder, 'docs', 'rowscape'), ELEMENT, join(folder, 'docs'));
      write(folder, {
        'mkdocs.yml': `site_name: Orders
theme:
  name: material
  font: false
  palette:
    - { media: "(prefers-color-scheme: light)", scheme: default, toggle: { icon: material/weather-night, name: Dark } }
    - { media: "(prefers-color-scheme: dark)", scheme: slate, toggle: { icon: material/weather-sunny, name: Light } }
extra_javascript:
  - path: rowscape/element.js
    type: module
`,
        'docs/index.md': `# Orders\n\n${TEXT}\n`,
        'docs/guide.md': `# Guide\n\n${TEXT}\n\n${figure('../')}\n`,
      });
      await begin(python('mkdocs'), ['build', '--quiet', '--strict'], { cwd: folder, quiet: true });
      return { root: join(folder, 'site'), page: 'guide/' };
    },
  },
  Sphinx: {
    tool: 'python',
    build: async (folder) => {
      put(join(folder, '_static'), ['standalone.js'], join(folder, '_static'));
      write(folder, {
        'conf.py': `project = "Orders"\nhtml_static_path = ["_static"]\nhtml_js_files = ["standalone.js"]\n`,
        'index.rst': `Orders\n======\n\n${TEXT}\n\n.. raw:: html\n\n   ${figure('_static/')}\n`,
      });
      await begin(python('sphinx-build'), ['-q', '-b', 'html', '.', 'out'], { cwd: folder, quiet: true });
      return { root: join(folder, 'out'), page: '' };
    },
  },
  mdBook: {
    tool: 'mdbook',
    build: async (folder) => {
      put(folder, ['standalone.js'], join(folder, 'src'));
      write(folder, {
        'book.toml': '[book]\ntitle = "Orders"\n\n[output.html]\nadditional-js = ["standalone.js"]\n',
        'src/SUMMARY.md': '# Summary\n\n- [Orders](orders.md)\n',
        'src/orders.md': `# Orders\n\n${TEXT}\n\n${figure('')}\n`,
      });
      await begin(mdbook, ['build'], { cwd: folder, quiet: true });
      return { root: join(folder, 'book'), page: 'orders.html' };
    },
  },
  VitePress: {
    tool: 'vitepress',
    build: async (folder) => {
      put(join(folder, 'public', 'rowscape'), ELEMENT, join(folder, 'public'));
      write(folder, {
        'package.json': '{ "private": true, "type": "module" }',
        '.vitepress/config.mjs': `export default {
        title: 'Orders',
        head: [['script', { type: 'module', src: '/rowscape/element.js' }]],
        vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'rowscape-figure' } } },
      };`,
        'index.md': `# Orders\n\n${TEXT}\n\n${figure('/')}\n\n[Next](./next)\n`,
        'next.md': '# Next\n\nNothing to see.\n\n[Back](./)\n',
      });
      await runNode(folder, 'vitepress', 'vitepress/bin/vitepress.js');
      return { root: join(folder, '.vitepress', 'dist'), page: '' };
    },
  },
  Docusaurus: {
    tool: 'docusaurus',
    build: async (folder) => {
      put(join(folder, 'static', 'rowscape'), ELEMENT, join(folder, 'static'));
      write(folder, {
        'package.json': '{ "private": true }',
        'docusaurus.config.js': `module.exports = {
        title: 'Orders', url: 'https://example.com', baseUrl: '/',
        scripts: [{ src: '/rowscape/element.js', type: 'module' }],
        presets: [['classic', { docs: { routeBasePath: '/' }, blog: false, theme: {} }]],
        themeConfig: { colorMode: { respectPrefersColorScheme: true } },
      };`,
        'docs/index.mdx': `---\nslug: /\n---\n\n# Orders\n\n${TEXT}\n\n${figure('/')}\n\n[Next](next.mdx)\n`,
        'docs/next.mdx': '# Next\n\nNothing to see.\n',
      });
      // Its cache next to the packages belongs to another site.
      await runNode(folder, 'docusaurus', '@docusaurus/core/bin/docusaurus.mjs', {
        DOCUSAURUS_NO_PERSISTENT_CACHE: 'true',
      });
      return { root: join(folder, 'build'), page: '' };
    },
  },
};

/** @param {string} folder */
export const remove = (folder) => rmSync(folder, { recursive: true, force: true });
