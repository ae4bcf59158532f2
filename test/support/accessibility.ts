/** The accessibility of pages, by axe. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Findings of these rules are minor or moderate, so they fail no test. */
const LESSER_RULES = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header', 'form-field-multiple-labels'],
  ...['heading-order', 'landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level', 'landmark-one-main'],
  ...['landmark-main-is-top-level', 'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo'],
  ...['landmark-no-duplicate-main', 'landmark-unique', 'no-autoplay-audio', 'page-has-heading-one', 'region'],
];
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const without = Object.fromEntries(LESSER_RULES.map((rule) => [rule, { enabled: false }]));
const colours = { type: 'rule', values: COLOUR_RULES };

/**
 * Fails if the part of the page (default: the whole page) has a serious or critical finding of axe. Names each finding
 * and its place.
 */
export async function checkAccess(page: Page, part = 'html'): Promise<void> {
  await check(page, part, { rules: without });
}

/** Checks only the rules that depend on colours, for a page that has passed `checkAccess` in other colours. */
export async function checkColours(page: Page, part = 'html'): Promise<void> {
  await check(page, part, { runOnly: colours });
}

async function check(page: Page, part: string, options: object): Promise<void> {
  // A script element is not possible: the Content-Security-Policy of the page would refuse it.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  // Media files are not loaded, because no rule that can fail a test needs them.
  const settings = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options });
  const findings = await page.evaluate(`axe.run('${part}', ${settings}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.slice(0, 3).map(({ html, failureSummary }) =>
      html.slice(0, 200) + ' ' + failureSummary) })))`);
  assert.deepEqual(findings, [], page.url());
}
