// Problems of a formula are shown at their column.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBrowser } from './harness.mjs';

const { open } = withBrowser();

/** Where what is wrong is marked, and where its sentence and the line up to it stand. @param {import('playwright-core').Page} page */
const placed = (page) =>
  page.evaluate(() => {
    const box = (/** @type {Element | null | undefined} */ one) => {
      const { left, right, top, bottom } = /** @type {Element} */ (one).getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return [...document.querySelectorAll('.formula-problems li')].map((item) => {
      const mark = document.querySelector(
        `mark[data-column="${/** @type {HTMLElement} */ (item).dataset.column}"]`,
      );
      const [first] = mark?.getClientRects() ?? [];
      const { left } = item.getBoundingClientRect();
      const line = getComputedStyle(item, '::before');
      return {
        mark: { left: first.left, right: first.right, bottom: first.bottom },
        sentence: box(item.querySelector('.note')),
        line: {
          at: left + Number.parseFloat(line.left),
          top: box(item).top - Number.parseFloat(line.height),
        },
      };
    });
  });

for (const width of [1280, 360]) {
  test(`at ${width} pixels the sentence stands under the column that is wrong`, async () => {
    const { page, close } = await open({ viewport: { width, height: 900 } });
    const formula = page.getByRole('textbox', { name: 'Row key' });
    await formula.fill("carrier + '_' + nosuchfield");
    await page.waitForSelector('.formula-problems .placed');
    const [{ mark, sentence, line }] = await placed(page);
    assert.ok(sentence.top >= mark.bottom, 'below it');
    assert.ok(sentence.left <= mark.right && sentence.right >= mark.left, 'under it');
    assert.ok(line.at >= mark.left - 1 && line.at <= mark.right, 'the line is at it');
    assert.ok(Math.abs(line.top - mark.bottom) < 2, 'the line reaches up to it');
    assert.ok(sentence.right <= width, 'and the sentence is within the page');
    // The lines of the formula break elsewhere: the sentence goes with them.
    await page.setViewportSize({ width: 340, height: 900 });
    await page.waitForFunction(
      (before) => {
        const [rect] = document.querySelector('mark.wrong')?.getClientRects() ?? [];
        const sentence = document.querySelector('.formula-problems .note')?.getBoundingClientRect();
        return rect && sentence && rect.left !== before && sentence.right <= 340;
      },
      width === 360 ? -1 : mark.left,
    );
    const [after] = await placed(page);
    assert.ok(after.line.at >= after.mark.left - 1 && after.line.at <= after.mark.right);
    await close();
  });
}

test('of an unknown step the nearest is told first, and those that fit on demand', async () => {
  const { page, close } = await open();
  const formula = page.getByRole('textbox', { name: 'Row key' });
  await formula.fill('departure.descending()');
  const told = page.locator('.formula-problems li');
  await told.getByText('Did you mean reverseLong()?').waitFor();
  assert.ok(!(await told.getByText('format, ').isVisible()));
  await told.getByText('Steps for this value').click();
  assert.match((await told.locator('code').textContent()) ?? '', /^format, millis, /);
  await formula.fill('carrier.md6()');
  await told.getByText('Did you mean md5()?').waitFor();
  await close();
});

test('what is wrong is read out once the typing pauses, and described by the field', async () => {
  const { page, close } = await open();
  const formula = page.getByRole('textbox', { name: 'Row key' });
  await formula.fill('nosuchfield');
  await page.waitForSelector('.formula-problems li');
  const described = await formula.getAttribute('aria-describedby');
  assert.match((await page.textContent(`#${described}`)) ?? '', /column 1: .*nosuchfield/);
  await page
    .getByRole('status')
    .filter({ hasText: /column 1: .*nosuchfield/ })
    .waitFor({ state: 'attached' });
  await formula.fill('carrier');
  await page.waitForSelector('.formula-problems', { state: 'detached' });
  assert.equal(await formula.getAttribute('aria-invalid'), 'false');
  await page.waitForFunction(
    () =>
      ![...document.querySelectorAll('formula-editor [role=status]')].some((one) =>
        one.textContent?.includes('column 1'),
      ),
  );
  await close();
});
