/** An account that no other test of the file uses, with a tenant and a number. */
import type { Page } from 'playwright-core';
import { ringing, route, voicemail } from '../../support/calls.ts';
import type { Json } from '../../support/events.ts';
import type { Harness } from '../../support/harness.ts';
import { until } from '../../support/jobs.ts';
import { newPerson } from '../../support/messages.ts';
import { type Line, makeLine } from '../../support/numbers.ts';
import type { Send } from './believable.ts';
import type { Console } from './open-console.ts';

export type OwnAccount = {
  readonly account: Harness['account'];
  /** The harness, with this account in place of the harness's account, for helpers of tests of the API. */
  readonly own: Harness;
  readonly line: Line;
  readonly send: Send;
  /** Opens a page of the account. */
  openPage(path: string): Promise<Page>;
};

export async function makeOwnAccount({ harness, sender, open }: Console): Promise<OwnAccount> {
  const account = await harness.secondAccount();
  const call: Harness['call'] = (method, path, options) =>
    harness.call(method, path, { key: account.test_key, ...options });
  const advance: Harness['advance'] = (seconds, key = account.test_key) => harness.advance(seconds, key);
  const own: Harness = { ...harness, call, advance, account };
  const line = await makeLine(own, account.test_key);
  return { account, own, line, send: sender(account), openPage: (path) => open(path, { account }) };
}

/** Calls the number outside of its hours, says words after the tone, and returns the ended call. */
export async function leaveVoicemail({ own, line, send }: OwnAccount, words: string): Promise<Json> {
  const hours = { business_hours: { schedule: [] }, closed_behavior: voicemail };
  await route(own, line, { ...hours, open_behavior: ringing([newPerson()]) });
  const to = line.number.phone_number;
  const { id } = await send('POST', '/v1/test/inbound_calls', { from: newPerson(), to, script: `say "${words}"` });
  await until('the words are written down', async () => {
    await own.advance(2);
    const [left] = (await send('GET', '/v1/voicemails')).data;
    return left?.call_id === id && left.transcript !== null;
  });
  return await send('GET', `/v1/calls/${id}`);
}

/** Marks the document of a page. Returns what fails if the page was loaded again since. */
export async function watchReloads(page: Page): Promise<() => Promise<void>> {
  await page.evaluate('document.documentElement.dataset.watched = "yes"');
  return async () => {
    const mark = await page.evaluate('document.documentElement.dataset.watched');
    if (mark !== 'yes') throw new Error(`${page.url()} was loaded again`);
  };
}

/** Chooses an option of a field that is searched by typing; in a window above the page if one is open. */
export async function pick(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).last().click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Chooses an option of a field that has few options. */
export async function select(page: Page, field: string, option: string): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`${field}$`) })
    .first()
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
