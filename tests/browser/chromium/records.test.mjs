import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, calls, choose, ready, tab, withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** @import { Page } from 'playwright-core' */

/** Waits until so many rows are told. @param {Page} page @param {string} rows */
const rows = async (page, rows) => {
  await page.waitForFunction((wanted) => document.querySelector('.verdict dd')?.textContent === wanted, rows);
  await ready(page);
};

/** The row key formula. @param {Page} page */
const formula = (page) => page.inputValue('.formula textarea');

/** Pastes into the page, as Ctrl+V does outside of a field. @param {Page} page @param {string} text */
const paste = (page, text) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);

/** Opens the form for records without a file. @param {Page} page @param {string} way */
async function form(page, way) {
  await page.getByRole('button', { name: 'Paste or generate' }).click();
  await page.getByRole('radio', { name: way }).check({ force: true });
}

const button = 'dialog[open] button.main';

test('rows that are pasted are read as a file is', async () => {
  const { page, close } = await open();
  await paste(page, calls(120));
  await rows(page, '120');
  assert.match(await formula(page), /^phone\.md5\(\)/);
  await page.reload();
  await rows(page, '120');
  await close();
});

const SQL = `CREATE TABLE metric (at DATE NOT NULL, v DOUBLE, name VARCHAR, host VARCHAR, app VARCHAR
  CONSTRAINT pk PRIMARY KEY (at, name, host, app));
-- a host in an hour
SELECT v FROM metric WHERE host = 'node-1' AND at >= ? AND at < ?;
SELECT v FROM metric JOIN other ON a = b;`;

test('statements of Phoenix that are pasted become a table with its queries, made records and suggested keys', async () => {
  const { page, close } = await open({ opened: false });
  await paste(page, SQL);
  await rows(page, '20,000');
  assert.match(await formula(page), /^AT\.phoenix\.date\(\) \+ NAME\.phoenix\.varchar/);
  assert.match(String(await page.textContent('.sample .part-3 dd')), /^host/);
  await page.getByText('joins are not read').first().waitFor();
  await page.getByText('1: a host in an hour').first().waitFor();
  await page.locator('.verdict', { hasText: 'region' }).first().waitFor();
  await page
    .locator('key-shortlist .rowkeys', { hasText: 'HOST.phoenix' })
    .first()
    .waitFor({ timeout: 60_000 });
  await close();
});

test('keys are suggested for a table of Phoenix with an index that a query is put to', async () => {
  const { page, close } = await open({ opened: false });
  await paste(page, `/* a schema */\n${SQL}\nCREATE INDEX by_host ON metric (host) INCLUDE (v);`);
  await rows(page, '20,000');
  await page
    .locator('key-shortlist .rowkeys', { hasText: 'HOST.phoenix' })
    .first()
    .waitFor({ timeout: 60_000 });
  // A statement that Phoenix refuses is told, and nothing that is shown is lost.
  await paste(page, 'CREATE TABLE t (a INTEGER NOT NULL, CONSTRAINT pk PRIMARY KEY (a,))');
  await page.getByText('a name is expected').first().waitFor();
  assert.match(await formula(page), /^AT\.phoenix/);
  await close();
});

test('a value that is no time among times is named beside its field, and costs its row alone', async () => {
  const { page, close } = await open();
  const lines = calls(40).split('\n');
  lines[4] = lines[4].replace(/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/, 'garbage');
  await paste(page, lines.join('\n'));
  await page.getByText('Rejected rows: 1').waitFor();
  await about(page, 'call_time');
  const field = page.locator('.fields tr', { has: page.getByLabel('Type of call_time') });
  assert.match(
    (await field.locator('.why').textContent()) ?? '',
    /times in this format, except “garbage” in row 4;/,
  );
  assert.equal(await page.getByLabel('Type of call_time').inputValue(), 'time');
  await close();
});

test('records take one line: fields with their values, and a click tells how one is read', async () => {
  const { page, close } = await open({ opened: false });
  const height = () =>
    page.locator('data-line').evaluate((line) => Math.round(line.getBoundingClientRect().height));
  await paste(page, calls(400));
  await page.locator('data-line').waitFor();
  const reading = await height();
  await rows(page, '400');
  const chip = (/** @type {string} */ name) => page.locator('.chip.field', { hasText: name });
  await chip('phone').getByText('unique').waitFor();
  assert.match((await chip('seconds').textContent()) ?? '', /400 values|unique/);
  assert.match((await page.locator('.chip.source').textContent()) ?? '', /400 rows · 6\.\d h/);
  assert.equal(await height(), reading, 'as high while they are read');
  await about(page, 'call_time');
  const told = page.locator('data-about');
  await told.getByText('every value is a time in this format').waitFor();
  await told.getByText('distinct values').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await told.isVisible(), false);
  await about(page, 'source');
  await told.getByText('Memory').waitFor();
  await close();
});

test('a date and a time of day in two columns are one time, which can be corrected', async () => {
  const { page, close } = await open();
  const lines = calls(40).trimEnd().split('\n').slice(1);
  const text = ['phone,date,time,seconds', ...lines.map((line) => line.replace(' ', ','))].join('\n');
  await paste(page, text);
  await rows(page, '40');
  assert.match(await formula(page), /\+ date_time\.format\('yyyyMMddHHmmss'\)$/);
  await about(page, 'date_time');
  const field = page.locator('.fields tr', { has: page.getByLabel('Type of date_time') });
  assert.match((await field.locator('.why').textContent()) ?? '', /^“date” and “time” together are times/);
  await page.getByLabel('Time zone of date_time').fill('+08:00');
  await page.getByLabel('Time zone of date_time').press('Enter');
  await rows(page, '40');
  assert.equal(await page.getByText('Rejected rows').count(), 0, 'it is of both columns still');
  // The names are no time: of the rows they cost one.
  await about(page, 'source');
  await page.getByRole('radio', { name: 'Data' }).check({ force: true });
  await page.locator('.chip.field', { hasText: 'column_2_column_3' }).waitFor();
  await page.getByText('Rejected rows: 1').waitFor();
  await close();
});

test('row keys that are pasted are drawn, and what they are built of is guessed', async () => {
  const { page, close } = await open();
  const keys = Array.from({ length: 60 }, (_, at) => {
    const day = String(1 + (at % 28)).padStart(2, '0');
    return `0${at % 4}_1341234${1000 + at * 37}_202405${day}120000`;
  });
  await form(page, 'Paste');
  await page.fill('dialog[open] textarea', keys.join('\n'));
  await page.click(button);
  await rows(page, '60');
  assert.equal(await formula(page), "part1 + '_' + part2 + '_' + time3.format('yyyyMMddHHmmss')");
  await about(page, 'source');
  assert.deepEqual(await page.locator('.segments-found li').allTextContents(), [
    '2 digits',
    '11 digits',
    'a time: yyyyMMddHHmmss',
  ]);
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes');
  const shown = await page.locator('.list li .bytes').allTextContents();
  assert.equal(shown[0], keys.toSorted()[0], 'the keys are those that were pasted');
  // Wrong guesses can be corrected.
  await about(page, 'time3');
  await page.getByLabel('Type of time3').selectOption('text');
  await page.waitForSelector('.note.bad');
  await close();
});

test('row keys in the notation of the shell are the bytes they stand for', async () => {
  const { page, close } = await open();
  await form(page, 'Paste');
  await page.fill(
    'dialog[open] textarea',
    'user\\x00\\x00\\x01a\nuser\\xFF\\x00\\x02b\nuser\\x10\\x00\\x03c',
  );
  await page.getByLabel('These are row keys').check();
  await page.click(button);
  await rows(page, '3');
  await tab(page, 'Regions and keys');
  assert.deepEqual(await page.locator('.list li .bytes').allTextContents(), [
    'user\\x00\\x00\\x01a',
    'user\\x10\\x00\\x03c',
    'user\\xFF\\x00\\x02b',
  ]);
  await page.waitForSelector('.list .title, .keys .title >> text=8 bytes');
  assert.ok((await page.locator('.review-tabs, [role=tabpanel]').count()) > 0);
  await close();
});

/** Keys of a text, a separator, a time in milliseconds and a number, in hexadecimal digits. @param {number} count */
const keysInHex = (count) =>
  Array.from({ length: count }, (_, at) => {
    const key = Buffer.alloc(19);
    key.write(`u${String((at * 7919) % 3000).padStart(5, '0')}#`);
    key.writeBigInt64BE(BigInt(1_700_000_000_000 + ((at * 977_777) % 900_000_000)), 7);
    key.writeInt32BE((at * 31) % 500, 15);
    return key.toString('hex');
  });

test('keys in bytes are taken back to the fields that are found in them', async () => {
  const { page, close } = await open();
  await form(page, 'Paste');
  await page.fill('dialog[open] textarea', keysInHex(300).join('\n'));
  await page.click(button);
  await rows(page, '300');
  assert.equal(await formula(page), "part1 + '#' + time2.millis().int64() + part3.int32()");
  await about(page, 'source');
  assert.deepEqual(await page.locator('.segments-found li').allTextContents(), [
    '6 characters',
    'always “#”',
    'a time: epoch-millis',
    'a number in 4 bytes',
  ]);
  await close();
});

test('keys of a large file are looked at all over it, and those of the open design are its records', async () => {
  const { page, close } = await open();
  const keys = keysInHex(20_000).toSorted();
  await choose(page, 'keys.txt', `${keys.join('\n')}\n`);
  await rows(page, '20,000');
  assert.equal(await formula(page), "part1 + '#' + time2.millis().int64() + part3.int32()");
  const other = "part1.reverse() + '#' + time2.millis().int64() + part3.int32()";
  await page.locator('.formula textarea').fill(other);
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() => document.querySelector('.list li .bytes')?.textContent?.includes('u#'));
  await rows(page, '20,000');
  await close();
});

test('a file opened while a formula is being typed gets a design of its own, and the formula is there on going back', async () => {
  const { page, close } = await open();
  const typed = "carrier.md5().hex(6) + '_' + flight.decimal(4)";
  // A formula is applied when nothing was typed for a while: before, while and after the file is looked at.
  for (const wait of [0, 120, 180, 210, 240]) {
    await page.locator('.formula textarea').fill(typed);
    await page.waitForTimeout(wait);
    await choose(page, 'calls.csv', calls(50));
    await rows(page, '50');
    assert.match(await formula(page), /^phone\./);
    await page.goBack();
    await rows(page, '12,208');
    assert.equal(await formula(page), typed);
    await page.getByLabel('Example').selectOption('nyc-flights');
    await rows(page, '12,208');
  }
  await close();
});

test('a table chosen while another file is being looked at does not bring its design to that file', async () => {
  const { page, close } = await open();
  for (const wait of [0, 1, 5, 10, 20, 40]) {
    await page.getByLabel('Example').selectOption('message-store');
    await page.waitForSelector('.tables input');
    await ready(page);
    await page.evaluate(
      async ({ text, wait }) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], 'calls.csv', { type: 'text/csv' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        await new Promise((resolve) => setTimeout(resolve, wait));
        /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.tables input'))[1]?.click();
      },
      { text: calls(50), wait },
    );
    await rows(page, '50');
    assert.match(await formula(page), /^phone\./, `after ${wait} ms`);
  }
  await close();
});

test('five rows are typed by hand, and kept until they are read', async () => {
  const { page, close } = await open();
  await choose(page, 'calls.csv', calls(50));
  await rows(page, '50');
  await form(page, 'Enter five rows');
  const typed = [
    ['13400000001', '2024-05-01 10:00:00', '5'],
    ['he said "hi", twice', '2024-05-02 10:00:00', '6'],
    ['مرحبا', '2024-05-03 10:00:00', '7'],
    ['🙂🙃', '2024-05-04 10:00:00', '8'],
    ['5', 'not a time', '9'],
  ];
  for (const [row, values] of typed.entries())
    for (const [column, name] of ['phone', 'call_time', 'seconds'].entries())
      await page.getByLabel(`${name}, row ${row + 1}`).fill(values[column]);
  await page.reload();
  await page.waitForSelector('.status.empty');
  await form(page, 'Enter five rows');
  assert.equal(await page.getByLabel('phone, row 3').inputValue(), 'مرحبا');
  // The file is gone with the reload, its design is not.
  await page.click(button);
  await page.fill('.formula textarea', 'phone');
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() => document.querySelectorAll('.list li .bytes').length === 5);
  const shown = await page.locator('.list li .bytes').allTextContents();
  assert.ok(shown.includes('he said "hi", twice'));
  assert.ok(shown.includes('\\xF0\\x9F\\x99\\x82\\xF0\\x9F\\x99\\x83'));
  await close();
});

test('records are made up as the form says', async () => {
  const { page, close } = await open();
  await page.selectOption('.example select', 'call-records');
  await page.waitForSelector('.chip.source >> text=Call records');
  await ready(page);
  await form(page, 'Generate');
  await page.getByLabel('Days').fill('3');
  await page.getByLabel('Number of entities').fill('10');
  await page.getByLabel('Skew').fill('200');
  await page.getByLabel('Late rows').fill('5');
  await page.waitForSelector('dialog[open] >> text=259,200 rows');
  await page.click(button);
  await rows(page, '259,200');
  await page.fill('.formula textarea', 'phone');
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.keys .tag >> text=Duplicate keys: 10, in 259,200 rows');
  await page.reload();
  await rows(page, '259,200');
  await close();
});

test('several files of one form are one; another header is refused by the name of its file', async () => {
  const { page, close } = await open({ expectErrors: true });
  const file = (/** @type {string} */ name, /** @type {string} */ text) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  await page.setInputFiles('input[type=file]', [file('may.csv', calls(100)), file('june.csv', calls(50))]);
  await rows(page, '150');
  await page.waitForSelector('.chip.source >> text=may.csv and 1 more');
  const before = await formula(page);
  const other = 'number,when\n1,2024-01-01 00:00:00\n';
  await page.setInputFiles('input[type=file]', [file('may.csv', calls(100)), file('odd.csv', other)]);
  await page.waitForSelector('.notice >> text=/[Oo]dd.csv has other fields than may.csv/');
  assert.match((await page.textContent('.notice')) ?? '', /number, when/);
  assert.equal(await formula(page), before, 'the design stays');
  await rows(page, '150');
  await close();
});

test('a file that is not text is refused, and nothing is lost', async () => {
  const { page, close } = await open({ expectErrors: true });
  const before = await formula(page);
  await choose(
    page,
    'photo.png',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0, 0, 255, 254, 0, 7, 8, 0]),
  );
  const picture = () => page.evaluate(() => document.querySelector('.stage canvas') !== null);
  await page.waitForSelector('.notice >> text=does not look like text');
  assert.match(
    (await page.textContent('.notice')) ?? '',
    /photo\.png.*nyc-flights-2013-01\.csv is still shown/,
  );
  assert.equal(await formula(page), before);
  await rows(page, '12,208');
  assert.ok(await picture(), 'the picture stays');
  // The records that were kept still answer.
  await page.getByRole('button', { name: 'Apply fix' }).click();
  await page.waitForSelector('.verdict.good');
  await close();
});

test('names and values of fields are shown as they are, and nothing of them is run', async () => {
  const { page, close } = await open();
  let alerted = false;
  page.on('dialog', (dialog) => {
    alerted = true;
    dialog.dismiss();
  });
  const odd = '<img src=x onerror=alert(1)>';
  const text = `${odd},שם,time\n${Array.from({ length: 40 }, (_, at) => `<b>${at}</b>,שלום 🙂 ${at},2024-05-01 10:${String(at).padStart(2, '0')}:00`).join('\n')}\n`;
  await choose(page, 'odd.csv', text);
  await rows(page, '40');
  assert.ok((await formula(page)).startsWith(`\`${odd}\`.md5()`));
  assert.equal(await page.locator('.chip.field strong').first().textContent(), odd);
  await page.fill('.formula textarea', `\`${odd}\` + '|' + \`שם\``);
  await tab(page, 'Regions and keys');
  await page.waitForSelector('.list li .bytes:has-text("<b>0</b>|")');
  assert.match((await page.textContent('.sample dl')) ?? '', /שלום 🙂/);
  assert.equal(await page.locator('.parts .part').count(), 3);
  assert.equal(await page.locator('main img, main b').count(), 0);
  assert.equal(alerted, false);
  await close();
});

test('ten thousand fields are all there, and typing stays quick', async () => {
  const { page, close } = await open();
  const names = Array.from({ length: 10_000 }, (_, at) => `f${at}`);
  const line = (/** @type {number} */ row) => names.map((_, at) => String((row * 31 + at) % 97)).join(',');
  await choose(page, 'wide.csv', `${names.join(',')}\n${[0, 1, 2, 3, 4, 5].map(line).join('\n')}\n`);
  await rows(page, '6');
  await page.waitForSelector('.chip.all >> text=10,000');
  await page.fill('.formula textarea', 'f9999.decimal(4)');
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() => document.querySelector('.list li .bytes')?.textContent === '0004');
  await close();
});

test('ten pasted keys tell why they are hot', async () => {
  const { page, close } = await open();
  await paste(page, Array.from({ length: 10 }, (_, at) => `171455760${at}000`).join('\n'));
  await rows(page, '10');
  assert.equal(await formula(page), 'time1.millis().decimal(13)');
  await page.waitForSelector('.finding.is-bad >> text=follows time');
  // Also at the top, where a person looks first.
  await page.waitForSelector('.verdict.bad p:first-child >> text=Concurrent writes go to the same region');
  await close();
});

test('ids that count up are told at the top, of keys that a scan printed in their order nothing is', async () => {
  const { page, close } = await open();
  await paste(page, Array.from({ length: 10 }, (_, at) => `user${1001 + at}`).join('\n'));
  await rows(page, '10');
  await about(page, 'source');
  assert.deepEqual(await page.locator('.segments-found li').allTextContents(), ['always “user”', '4 digits']);
  await page.waitForSelector('.verdict.bad p:first-child >> text=Concurrent writes go to the same region');
  await page.waitForSelector('.finding.is-bad >> text=“key” counts in steps of 1');
  await page.waitForSelector('.verdict p.also >> text=too few');
  // A scan prints keys in their order, whatever the order they were written in.
  const hashed = Array.from({ length: 300 }, (_, at) => {
    const hash = ((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
    return `${hash}_20260101${String(at % 24).padStart(2, '0')}${String(at % 60).padStart(2, '0')}00`;
  });
  await paste(page, hashed.sort().join('\n'));
  await rows(page, '300');
  // They spread, or are too few to see it.
  await page.waitForSelector('.verdict.good, .verdict.unknown');
  await page.waitForSelector('tab-panel >> text=No findings');
  assert.equal(await page.locator('.finding.is-bad').count(), 0);
  await close();
});

test('what the shell prints of a scan is rows, written when their cells say', async () => {
  const { page, close } = await open();
  const cell = (/** @type {number} */ at, /** @type {string} */ column) =>
    ` \\x00${String((at * 37) % 100).padStart(3, '0')} column=d:${column}, timestamp=${1_767_268_800_000 + at * 60_000}, value=${at}`;
  const cells = Array.from({ length: 60 }, (_, at) => [cell(at, 'a'), cell(at, 'b')]).flat();
  await paste(
    page,
    ["hbase:001:0> scan 't'", 'ROW  COLUMN+CELL', ...cells, '60 row(s)', 'Took 0.1 seconds'].join('\n'),
  );
  await rows(page, '60');
  assert.equal(await formula(page), 'key');
  await about(page, 'source');
  await page.waitForSelector('.note >> text=Rows of a scan');
  await tab(page, 'Regions and keys');
  await page.waitForFunction(() => document.querySelector('.list li .bytes')?.textContent === '\\x00000');
  // The heatmap has their times.
  assert.equal(await page.getByText('No arrival time:').count(), 0);
  // One row too wide for what a guess looks at, and a scan of none.
  const wide = Array.from({ length: 6000 }, (_, at) => cell(1, `column-${at}`));
  await paste(page, ['ROW  COLUMN+CELL', ...wide].join('\n'));
  await rows(page, '1');
  await paste(page, 'ROW  COLUMN+CELL\n0 row(s)\n');
  await page.waitForSelector('text=the file has no records');
  // Keys that increase with their write time are reported, even if they are few.
  const rising = Array.from({ length: 60 }, (_, at) =>
    cell(at, 'a').replace(/\\x00\d+/, `event${String(at).padStart(6, '0')}`),
  );
  await paste(page, ['ROW  COLUMN+CELL', ...rising].join('\n'));
  await page.waitForSelector('.verdict.bad p:first-child >> text=The key follows time');
  // So are those with a salt before them.
  const salted = Array.from(
    { length: 30 },
    (_, at) => `\\x0${at % 4}user${at}|202601011${at % 10}${10 + at}00`,
  );
  await paste(page, salted.join('\n'));
  await rows(page, '30');
  assert.equal(await formula(page), "part1 + '|' + time2.format('yyyyMMddHHmmss')");
  await page.waitForFunction(
    () => document.querySelector('.list li .bytes')?.textContent === '\\x00user0|20260101101000',
  );
  // Keys of parts are cut into them; the table has the regions that the shell prints.
  const users = Array.from({ length: 40 }, (_, at) => cell(at, 'a').replace('\\x00', 'user_'));
  await paste(
    page,
    ["hbase:001:0> get_splits 't'", 'Total number of splits = 3', 'user_03', 'user_07', '2 row(s)']
      .concat(["hbase:002:0> scan 't'", 'ROW  COLUMN+CELL', ...users])
      .join('\n'),
  );
  await rows(page, '40');
  assert.equal(await formula(page), "part1 + '_' + part2");
  await about(page, 'source');
  await page.waitForSelector('.note >> text=The regions are those of the pasted table');
  await page.waitForSelector('.facts >> text=HBase shell');
  assert.equal(await page.locator('region-table tbody tr').count(), 3);
  const create = `create 't', 'd', SPLITS => ['user_02', 'user_04', 'user_06', 'user_08']`;
  await paste(page, [create, `scan 't'`, 'ROW  COLUMN+CELL', ...users].join('\n'));
  await page.waitForFunction(() => document.querySelectorAll('region-table tbody tr').length === 5);
  await close();
});

test('a person says whether the first row of pasted columns is names', async () => {
  const { page, close } = await open();
  await page.getByRole('button', { name: 'Paste or generate' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Paste' }).fill('red,1\ngreen,2\nblue,3\n');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.waitForSelector('.chip.field >> text=column_1');
  await about(page, 'source');
  const rows = page.locator('.facts div', { hasText: 'Rows' }).locator('dd');
  assert.match((await rows.textContent()) ?? '', /^3/);
  await page.getByRole('radio', { name: 'Field names' }).check({ force: true });
  await page.waitForSelector('.chip.field >> text=red');
  await page.waitForFunction(() => document.querySelector('.facts')?.textContent?.match(/Rows\s*2/));
  await about(page, '1');
  assert.equal(await page.getByLabel('Type of 1', { exact: true }).inputValue(), 'integer');
  // The answer is kept with the pasted text.
  await page.waitForFunction(() => localStorage.getItem('rowscape.document.v1')?.includes('"header":true'));
  await page.reload();
  await page.waitForSelector('.chip.field >> text=red');
  await about(page, 'source');
  await page.getByRole('radio', { name: 'Data', exact: true }).check({ force: true });
  await page.waitForSelector('.chip.field >> text=column_2');
  await page.waitForFunction(() => document.querySelector('.facts')?.textContent?.match(/Rows\s*3/));
  await close();
});
