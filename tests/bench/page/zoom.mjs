// Zooming the heatmap of 512 regions and 2,000 moments in the built page: script of a frame, and time between frames.
//   node tests/bench/page/zoom.mjs     this alone, after npm run build
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/build/serve.mjs';
import { isProgram, program, ROOT } from '../../../scripts/run.mjs';
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/setup/chromium.mjs';
import { longestTask, traced } from './trace.mjs';

const REGIONS = 512;
const MOMENTS = 2000;
const ROWS = 150_000;
/** Turns of the wheel, half of them forth, half back, at places all over the picture. */
const TURNS = 240;
/** Milliseconds of script in a frame that 95 of 100 frames keep to. */
export const MOST_SCRIPT = 8;

/** Keys spread over all regions, evenly over time. */
function records() {
  const lines = ['id,at'];
  for (let row = 0; row < ROWS; row++) {
    const time = new Date(Date.UTC(2024, 0, 1) + row * 120_000).toISOString().slice(0, 19);
    lines.push(`${((row * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')},${time}`);
  }
  return `${lines.join('\n')}\n`;
}

/** @param {number[]} sorted ascending @param {number} part */
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];

/** @param {number[]} values */
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), worst: sorted.at(-1) ?? Number.NaN };
}

/** A page that shows the finer moments. @param {import('playwright-core').Browser} browser @param {string} url */
async function prepared(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.click('.entry-open');
  await page.waitForSelector('.heat[aria-busy=false]');
  const buffer = Buffer.from(records());
  await page.setInputFiles('input[type=file]', { name: 'ids.csv', mimeType: 'text/csv', buffer });
  await page.waitForSelector(`.verdict dl >> text=${ROWS.toLocaleString('en')}`);
  await page.fill('.formula textarea', 'id');
  await page.getByRole('tab', { name: 'Regions and keys' }).click();
  await page.getByLabel('Number of regions', { exact: true }).fill(String(REGIONS));
  await page.keyboard.press('Tab');
  await page.waitForSelector(`.verdict dl >> text=${REGIONS}`);
  await page.waitForSelector('.heat[aria-busy=false]');
  const stage = page.locator('.stage');
  /** The pointer in the middle of the figure, wherever the page has scrolled it. */
  const point = async () => {
    await stage.evaluate((figure) => figure.scrollIntoView({ block: 'center' }));
    await page.waitForTimeout(500);
    const box = await stage.boundingBox();
    if (!box) throw new Error('no figure');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    return box;
  };
  let box = await point();
  // Once looked at closely, moments are finer. A wheel that just scrolled the page does not zoom yet.
  for (let tries = 0; !(await page.locator('.on-show').count()); tries++) {
    if (tries > 10) throw new Error('the wheel does not zoom');
    await page.mouse.wheel(0, -600);
    box = await point();
  }
  await page.mouse.wheel(0, -100);
  const hours = ((ROWS * 120) / MOMENTS / 3600).toFixed(1);
  await page.waitForSelector(`.on-show >> text=intervals of ${hours} h`);
  return { page, box };
}

/**
 * Zooms in and out by the wheel.
 * @returns {Promise<{ script: ReturnType<typeof spread>, interval: ReturnType<typeof spread>, longest: number, frames: number }>} milliseconds
 */
export async function zoomFrames() {
  const site = await serve({ root: `${ROOT}/dist/site` });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
  try {
    const { page, box } = await prepared(browser, site.url);
    /** @type {number[]} */
    let times = [];
    const own = await traced(page, async () => {
      const frames = page.evaluate(async (turns) => {
        const times = [];
        while (times.length < turns) times.push(await new Promise((drawn) => requestAnimationFrame(drawn)));
        return times;
      }, TURNS);
      for (let turn = 0; turn < TURNS; turn++) {
        const x = box.x + box.width * (0.35 + 0.3 * Math.sin(turn / 7));
        const y = box.y + box.height * (0.4 + 0.2 * Math.cos(turn / 5));
        await page.mouse.move(x, y);
        await page.mouse.wheel(0, turn % 40 < 20 ? -80 : 80);
      }
      times = await frames;
    });
    const script = own.filter(({ name }) => name === 'FireAnimationFrame').map(({ tdur }) => tdur / 1000);
    const wheels = own
      .filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'wheel')
      .map(({ tdur }) => tdur / 1000);
    // A frame draws what the wheel asked for before it.
    const wheel = spread(wheels).p95;
    const drawing = script.filter((one) => one > 0.2).map((one) => one + wheel);
    const interval = times.slice(1).map((time, at) => time - times[at]);
    return {
      script: spread(drawing),
      interval: spread(interval),
      longest: longestTask(own),
      frames: drawing.length,
    };
  } finally {
    await browser.close();
    await site.close();
  }
}

/** @param {Awaited<ReturnType<typeof zoomFrames>>} measured */
export function zoomLine({ script, interval, longest, frames }) {
  const figures = (/** @type {ReturnType<typeof spread>} */ { median, p95, worst }) =>
    `${median.toFixed(1)} median, ${p95.toFixed(1)} for 95 of 100, ${worst.toFixed(1)} worst`;
  return `Zoom of ${REGIONS} regions × ${MOMENTS} moments, ms: script of a frame ${figures(script)}; from frame to frame ${figures(interval)}; longest task ${longest.toFixed(1)} (${frames} frames)`;
}

async function main() {
  const measured = await zoomFrames();
  console.log(zoomLine(measured));
  if (measured.script.p95 > MOST_SCRIPT) process.exitCode = 1;
}

if (isProgram(import.meta.url)) program(main);
