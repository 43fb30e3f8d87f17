// The Chromium that tests drive: the one that is there, else one is installed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, Told, timed, which } from '../run.mjs';
import { apt, canApt } from './apt.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap(
    (folder) => (folder ? [join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')] : []),
  ),
];

/**
 * Features that tests do without. Chromium fills the pop-ups of each new window's address bar with pages of
 * their own: a third of what it takes to open ours. The others are left out by Playwright too, whose list
 * this one replaces.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Arguments for a browser in a container: root has no sandbox there, and /dev/shm is small. */
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${WITHOUT}`];

/** The path of a Chromium or Chrome, or undefined. @returns {Promise<string | undefined>} */
export async function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Told(`CHROMIUM names ${named}, which does not exist.`);
  }
  const found = NAMES.map(which).find(Boolean) ?? PLACES.find((path) => existsSync(path));
  if (found) return found;
  const { chromium } = await import('playwright-core');
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

/** How tests start it. */
const launched = async () => ({ executablePath: await findChromium(), args: CHROMIUM_ARGS });

/** The variable that has the address of a browser for all tests. */
const SHARED = 'ROWSCAPE_BROWSER';

/** A browser for tests: the one that all share, where there is one. Closing it closes no more than what was opened with it. */
export async function openBrowser() {
  const { chromium } = await import('playwright-core');
  const shared = process.env[SHARED];
  return shared ? chromium.connect(shared) : chromium.launch(await launched());
}

/**
 * Does something while there is a browser that all tests share.
 * @param {(env: Record<string, string>) => Promise<unknown>} work
 */
export async function withSharedBrowser(work) {
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer(await launched());
  try {
    await work({ [SHARED]: server.wsEndpoint() });
  } finally {
    await server.close();
  }
}

/** Makes sure that there is a Chromium. @returns {Promise<string>} its path */
export async function setUpChromium() {
  const found = await findChromium();
  if (found) return found;
  try {
    await timed('Chromium: installing for the tests', () =>
      canApt()
        ? apt(['chromium'])
        : run(process.execPath, [
            join(ROOT, 'node_modules', 'playwright-core', 'cli.js'),
            'install',
            'chromium',
          ]),
    );
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
  }
  const installed = await findChromium();
  if (installed) return installed;
  throw new Told(
    'The tests need Chromium or Chrome, and none could be installed. Install one, or name one: CHROMIUM=/path/to/chrome npm test',
  );
}
