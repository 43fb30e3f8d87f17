// Scenes of the page: each view in each of its states.
import { about, calls, choose, compareWith, liveTable, ready, tab, take } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {string} id @returns {(page: Page) => Promise<void>} */
const example = (id) => async (page) => {
  await page.selectOption('.example select', id);
  await page.waitForSelector(`.example option[value=${id}]:checked`, { state: 'attached' });
  await ready(page);
};

/** Queries, cells and growth for the call records. */
const OUTLOOK = {
  servers: 3,
  table: {
    name: 'cdr',
    families: [
      {
        name: 'd',
        compression: 'GZ',
        ttl: 90 * 86_400,
        cells: ['dur', 'cell', 'imei'].map((qualifier, at) => ({ qualifier, bytes: 4 + 5 * at })),
      },
    ],
  },
  queries: [
    {
      name: 'One phone, one month',
      where: { phone: '13470264288', call_time: ['2021-10-01 00:00:00', '2021-11-01 00:00:00'] },
      rate: 200,
    },
    {
      name: 'Newest twenty of a phone',
      where: { phone: '13470264288' },
      order: { field: 'call_time', direction: 'descending' },
      limit: 20,
    },
    { name: 'A day, all phones', where: { call_time: { from: '2021-10-01', to: '2021-10-02' } } },
    { name: 'Long calls', where: { duration: { from: 500 } } },
  ],
  growth: { rowsPerDay: 60_000_000, months: 12 },
  cluster: { maxRegionGB: 20 },
};

/**
 * Call records with an outlook, and a tab of their review.
 * @param {string} tab
 * @param {(page: Page) => Promise<unknown>} act
 * @returns {(page: Page) => Promise<void>}
 */
const review = (tab, act) => async (page) => {
  const example = 'call-records';
  await page.evaluate(
    async ([id, outlook]) => {
      const design = await (await fetch(`examples/${id}.json`)).json();
      const text = JSON.stringify({ ...design, ...JSON.parse(outlook) });
      localStorage.setItem('rowscape.document.v1', JSON.stringify({ text, example: id }));
    },
    [example, JSON.stringify(OUTLOOK)],
  );
  await page.reload();
  await ready(page);
  await page.getByRole('tab', { name: tab }).click();
  await act(page);
};

/** A table as `list_regions` prints it: to the right, under the names of the columns. */
const LISTED = [
  ['SERVER_NAME', 'REGION_NAME', 'START_KEY', 'END_KEY', 'SIZE', 'REQ', 'LOCALITY'],
  ...[
    ['', '01', 0, 120],
    ['01', '03', 9800, 5_210_334],
    ['03', '04', 4100, 2_120_440],
    ['04', '', 15_400, 9_840_112],
  ].map(([start, stop, size, requests], at) => [
    `rs${at + 1}.example,16020,1795236225060`,
    `cdr,${start},179523628589${at}.da4d5186cb352082705d08bec7c8c3d${at}.`,
    start,
    stop,
    size,
    requests,
    '1.0',
  ]),
]
  .map((line) =>
    line.map((cell, at) => ` ${String(cell).padStart([31, 56, 10, 10, 6, 9, 9][at])} |`).join(''),
  )
  .join('\n');

/**
 * Another view than the bench.
 * @param {string} hash
 * @param {string} there what is there once it is drawn
 * @returns {(page: Page) => Promise<void>}
 */
const view = (hash, there) => async (page) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForSelector(there, { state: 'attached' });
  await page.waitForFunction(() => !document.querySelector('.reading [aria-busy=true]'));
};

/** The form for records without a file. @param {Page} page @param {string} way */
async function records(page, way) {
  await page.getByRole('button', { name: 'Paste or generate' }).click();
  await page.getByRole('radio', { name: way }).check({ force: true });
}

/** Log lines of forty hosts, one each half minute. @param {number} rows */
function logs(rows) {
  const lines = ['host,level,at,seq'];
  for (let row = 0; row < rows; row++) {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 30_000).toISOString().slice(0, 19).replace('T', ' ');
    lines.push(`web-${String((row * 7) % 40).padStart(3, '0')},${row % 9 ? 'info' : 'warn'},${at},${row}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Pastes outside of any field. @param {Page} page @param {string} text */
const paste = (page, text) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);

/** Actions before each picture. @type {Record<string, (page: Page) => Promise<unknown>>} */
export const SCENES = {
  entry: async (page) => {
    await page.waitForSelector('.is-entry .verdict .actions');
  },
  'entry-live': async (page) => {
    await paste(page, `list_regions 'cdr'\n${LISTED}\n`);
    await page.waitForSelector('.live .headline');
  },
  'entry-fields': async (page) => {
    await page.click('.door >> nth=2');
    await page.waitForSelector('.named input');
  },
  first: async () => {},
  'data-field': async (page) => {
    await SCENES['own-file'](page);
    const narrow = await page.locator('.chip.field').first().isHidden();
    await about(page, narrow ? 'all' : 'call_time');
  },
  'data-source': async (page) => {
    await SCENES['own-file'](page);
    await about(page, 'source');
    await page.click('.values summary');
    await page.waitForSelector('values-view table');
  },
  'data-issues': async (page) => {
    await SCENES['refused-some'](page);
    await about(page, 'issues');
  },
  'engine-telemetry': example('engine-telemetry'),
  'call-records': example('call-records'),
  'hex-keys': example('hex-keys-under-bytes-split'),
  'message-store': async (page) => {
    await example('message-store')(page);
    await page.locator('.tables label').nth(1).click();
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('md5'));
    await ready(page);
  },
  pinned: async (page) => {
    await page.locator('.stage').scrollIntoViewIfNeeded();
    const box = await page.locator('.stage').boundingBox();
    if (box) await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.45);
    await page.waitForSelector('.tooltip.pinned');
  },
  'wrong-formula': async (page) => {
    await page.fill('.formula textarea', "departure.format('yyyyMMdd') + '_' + carrier.format('yyyy')");
    await page.waitForSelector('.formula mark.wrong');
  },
  'empty-file': async (page) => {
    await choose(page, 'empty.csv', '');
    await page.waitForSelector('[role=alert]');
  },
  'no-records': async (page) => {
    const design = {
      rowscape: 1,
      name: 'Nothing yet',
      fields: [{ name: 'id', type: 'text' }],
      rowkey: 'id',
      splits: { points: ['5'] },
    };
    await page.evaluate(
      (text) => localStorage.setItem('rowscape.document.v1', JSON.stringify({ text, example: null })),
      JSON.stringify(design),
    );
    await page.reload();
    await page.waitForSelector('.status.empty');
  },
  'all-refused': async (page) => {
    await choose(page, 'calls.csv', calls(300));
    await page.waitForSelector('.verdict dl >> text=300');
    await ready(page);
    await about(page, 'call_time');
    await page.getByLabel('Time format of call_time').fill('dd.MM.yyyy HH:mm');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.chip.issues');
    await page.waitForSelector('.heat[aria-busy=false]');
  },
  reading: async (page) => {
    await page.evaluate((rows) => {
      const part = new Blob([rows.repeat(Math.ceil(2_000_000 / rows.length))]);
      const transfer = new DataTransfer();
      transfer.items.add(new File(Array(1000).fill(part), 'calls-2024.csv'));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    }, calls(1000));
    await page.waitForSelector('.status .figures >> text=left');
  },
  stopped: async (page) => {
    await SCENES.reading(page);
    await page.click('.status button');
    await page.waitForSelector('.status >> text=Stopped');
  },
  crashed: async (page) => {
    await SCENES['own-file'](page);
    const workers = page.workers();
    await Promise.all(
      workers.map((worker) =>
        worker.evaluate(() => {
          self.addEventListener('message', (event) => {
            if (event.data.type !== 'report') return;
            event.stopImmediatePropagation();
            setTimeout(() => {
              throw new Error('unreachable');
            });
          });
        }),
      ),
    );
    await tab(page, 'Regions and keys');
    await page.locator('.slider input[type=range]').fill('77');
    await page.waitForSelector('.status.bad');
  },
  'ten-thousand-fields': async (page) => {
    const names = Array.from({ length: 10_000 }, (_, at) => `field_${at}`);
    const rows = Array.from({ length: 50 }, (_, row) => names.map((_, at) => (row * 31 + at) % 97).join(','));
    await choose(page, 'wide.csv', `${names.join(',')}\n${rows.join('\n')}\n`);
    await page.waitForSelector('.chip.source >> text=wide.csv');
    await page.waitForSelector('.verdict dl >> text=50');
    await page.waitForSelector('.heat[aria-busy=false]');
  },
  'own-file': async (page) => {
    await choose(page, 'calls.csv', calls(20_000));
    await page.waitForSelector('.verdict dl >> text=20,000');
    await ready(page);
  },
  questions: async (page) => {
    await SCENES['own-file'](page);
    const folded = page.locator('.ask:not([open]) summary');
    if (await folded.count()) await folded.click();
    for (const [at, name] of ['Rows of a time range', 'One phone, a time range'].entries()) {
      await page.getByRole('button', { name }).click();
      await page.locator('.ask li').nth(at).locator('.cost', { hasText: /\d/ }).waitFor();
    }
  },
  shortlist: async (page) => {
    await choose(page, 'logs.csv', logs(20_000));
    await page.waitForSelector('.verdict dl >> text=20,000');
    await ready(page);
    const folded = page.locator('.ask:not([open]) summary');
    if (await folded.count()) await folded.click();
    for (const name of ['Rows of a time range', 'One host, a time range'])
      await page.getByRole('button', { name }).click();
    await page.locator('.shortlist[aria-busy=false] tr[data-id]').nth(2).waitFor({ timeout: 60_000 });
    await page.waitForFunction(
      () => document.querySelectorAll('.shortlist heat-miniature canvas').length > 2,
    );
    await ready(page);
  },
  pins: async (page) => {
    await SCENES.shortlist(page);
    const pins = page.locator('.shortlist tr[data-id] .pin');
    await pins.nth(0).click();
    await pins.nth(1).click();
    await page.waitForSelector('.compare td.is-worse');
    await page.waitForSelector('compare-maps canvas');
  },
  'million-regions': async (page) => {
    await SCENES['own-file'](page);
    await tab(page, 'Regions and keys');
    await page.getByLabel('Number of regions', { exact: true }).fill('1000000');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.verdict dl >> text=1,000,000');
    await ready(page);
  },
  starting: async (page) => {
    await page.route('**/examples/index.json', () => {});
    await page.reload();
    await page.waitForSelector('.status progress');
  },
  'refused-some': async (page) => {
    // Beyond what the types are guessed from.
    const lines = calls(4000).trim().split('\n');
    const bad = lines.map((line, row) => (row > 3700 ? line.replace(/,2024[^,]*,/, ',soon,') : line));
    await choose(page, 'calls.csv', `${bad.join('\n')}\n1,2\n`);
    await page.waitForSelector('.chip.issues');
    await ready(page);
  },
  'row-keys': async (page) => {
    const day = (/** @type {number} */ at) => String(1 + (at % 28)).padStart(2, '0');
    const keys = Array.from(
      { length: 400 },
      (_, at) => `0${at % 4}_1341234${1000 + at * 17}_202405${day(at)}120000`,
    );
    await paste(page, keys.join('\n'));
    await ready(page);
    await about(page, 'source');
    await page.waitForSelector('.segments-found li');
  },
  sampled: async (page) => {
    await page.goto(page.url().replace(/([?#].*)?$/, '?memory=1'));
    await choose(page, 'calls.csv', calls(300_000));
    await page.waitForSelector('.chip.issues', { timeout: 60_000 });
    await ready(page);
  },
  applied: async (page) => {
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.getByRole('button', { name: 'Compare with before' }).waitFor();
    await ready(page);
  },
  unlinked: async (page) => {
    await page.evaluate(() => {
      location.hash = '#v1.broken!';
    });
    await page.waitForSelector('.notice');
  },
  share: async (page) => {
    await choose(page, 'calls.csv', calls(2000));
    await ready(page);
    await page.getByRole('button', { name: 'Share link' }).click();
    await page.waitForSelector('.verdict-there');
  },
  'records-paste': async (page) => records(page, 'Paste'),
  'records-type': async (page) => records(page, 'Enter five rows'),
  'records-make': async (page) => records(page, 'Generate'),
  document: async (page) => {
    await page.locator('design-dialog button').first().click();
    await page.waitForSelector('dialog[open]');
  },
  menu: async (page) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
  },
  tour: async (page) => {
    await page.locator('page-tour .offer').dispatchEvent('click');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForSelector('.tour >> text=2 of 6');
  },
  dragging: async (page) => {
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['a'], 'a.csv'));
      dispatchEvent(new DragEvent('dragenter', { dataTransfer }));
    });
    await page.waitForSelector('.drop-veil');
  },
  export: review('Writes', async (page) => {
    await take(page);
    await page.waitForSelector('take-away .copyable');
  }),
  'export-figure': review('Writes', async (page) => {
    await take(page, 'Link, embed, report');
    await page.locator('.choices').getByRole('button', { name: 'Report (HTML)' }).click();
    await page.locator('.taken .main').waitFor();
  }),
  findings: review('Writes', async (page) => {
    await page.locator('.finding summary').first().click();
  }),
  maps: review('Writes', async (page) => {
    await compareWith(page, (formula) => formula.replace(', 6)', ', 12)'));
    await page.waitForSelector('compare-maps canvas');
  }),
  regions: review('Regions and keys', (page) => page.waitForSelector('.list li .bytes')),
  'nothing-queried': async (page) => {
    await tab(page, 'Queries');
  },
  'nothing-existing': async (page) => {
    await liveTable(page);
    await page.waitForSelector('.existing textarea');
  },
  'no-entry': view('#gallery/nowhere', '.reading .note'),
  queries: review('Queries', async (page) => {
    await page.locator('.query summary').nth(1).click();
    await page.waitForSelector('.plan .sentence');
  }),
  storage: review('Storage and growth', (page) => page.waitForSelector('.storage .sentence')),
  growth: review('Storage and growth', async (page) => {
    await page.getByLabel('New rows arrive').selectOption('rising');
    await page.waitForSelector('.growth .sentence >> text=split');
  }),
  servers: review('Servers', (page) => page.waitForSelector('.servers .sentence')),
  compare: review('Writes', async (page) => {
    await compareWith(page, (formula) => formula.replace(', 6)', ', 12)'));
    await page.waitForSelector('.compare .sides');
  }),
  vary: review('Regions and keys', async (page) => {
    await page
      .getByLabel('Vary one parameter')
      .selectOption({ label: "6 in bucket(phone, call_time.format('yyyyMM'), 6)" });
    await page.waitForSelector('.vary .small-chart');
  }),
  migrate: review('Writes', async (page) => {
    const formula = await page.inputValue('.formula textarea');
    await page.fill('.formula textarea', formula.replace(', 6)', ', 12)'));
    await page.waitForFunction(() => document.querySelector('key-bar .key')?.textContent?.includes(', 12)'));
    await take(page, 'Migrate');
    await page.waitForSelector('.migrate .steps li:nth-child(4)');
  }),
  existing: review('Writes', async (page) => {
    await liveTable(page);
    await page.getByLabel('Paste the HBase shell’s output').fill(`list_regions 'cdr'\n${LISTED}\n`);
    await page.waitForSelector('.existing .copyable');
  }),
  gallery: view('#gallery', 'gallery-picture canvas'),
  'gallery-entry': view('#gallery/f1-message-store-in-order', '.design.better canvas'),
  'gallery-tables': view('#gallery/c2-layouts-of-call-records', 'gallery-records td'),
  glossary: view('#glossary/hot-spot', '.glossary .named'),
  help: async (page) => {
    await SCENES.menu(page);
    await page.getByRole('button', { name: 'Help' }).click();
    await page.waitForSelector('.help table');
  },
};

/** Scenes of which a part is pictured. */
export const PARTS = Object.fromEntries(
  Object.keys(SCENES)
    .filter((name) => /^(findings|regions|queries|storage|growth|servers|vary|nothing-queried)/.test(name))
    .map((name) => [name, '.bench']),
);
