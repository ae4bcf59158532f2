/** The overview counts calls that run, in a ledger with few calls and in one with many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { callIn, ringing, route } from '../support/calls.ts';
import { newPerson } from '../support/messages.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;

/** More calls than the overview reads by one request. */
const NEWER_CALLS = 21;

const figureOf = (page: Page) =>
  page.getByRole('definition').filter({ hasText: /^1$/ }).and(page.locator('dt:has-text("Calls in progress") + dd'));

test('a call that runs is counted, also below a page of newer calls', { skip }, async () => {
  const { own, line, send, openPage } = await makeOwnAccount(console);
  await route(own, line, { open_behavior: ringing([newPerson()]) });
  const { id } = await callIn(own, line, { script: Array(9).fill('wait 300').join(', ') });
  await own.advance(15);
  assert.equal((await send('GET', `/v1/calls/${id}`)).status, 'in_progress');
  await figureOf(await openPage('')).waitFor();

  for (let n = 0; n < NEWER_CALLS; n += 1) await callIn(own, line, { script: 'wait 1' });
  await own.advance(60);
  const newest = (await send('GET', `/v1/calls?limit=${NEWER_CALLS}`)).data;
  assert.ok(newest.every(({ status }: { status: string }) => status !== 'in_progress'));
  await figureOf(await openPage('')).waitFor();
});
