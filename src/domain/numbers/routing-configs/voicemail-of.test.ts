import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findVoicemail } from '../index.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';
import type { CallBehavior, MenuBehavior, RingBehavior, VoicemailBehavior } from './schema.ts';
import { voicemailOf } from './voicemail-of.ts';

const harness = await useHarness({ startWorkers: false });

const voicemail = (greeting_text: string): VoicemailBehavior => ({
  type: 'voicemail',
  greeting_text,
  transcribe: false,
});
const ring = (no_answer: VoicemailBehavior | null = null): RingBehavior => ({
  type: 'ring',
  targets: ['+16025550143'],
  strategy: 'simultaneous',
  timeout_seconds: 25,
  no_answer,
});
const menu = (options: Record<string, CallBehavior>, otherwise: CallBehavior = ring()): MenuBehavior => ({
  type: 'menu',
  prompt: 'Press a key.',
  options,
  timeout_seconds: 6,
  tries: 2,
  otherwise,
});

test('the voicemail of a config is that of the closed hours, else of the open ring, else the first in a menu', () => {
  const of = (open_behavior: RingBehavior | MenuBehavior, closed_behavior: CallBehavior) =>
    voicemailOf({ open_behavior, closed_behavior }).greeting_text;
  assert.equal(of(ring(voicemail('open')), voicemail('closed')), 'closed');
  assert.equal(of(ring(voicemail('open')), ring(voicemail('closed'))), 'open');
  assert.equal(of(ring(voicemail('open')), menu({ 1: voicemail('closed') })), 'open');
  assert.equal(of(ring(), ring(voicemail('closed'))), 'closed');
  assert.equal(of(ring(), menu({ 1: ring(), 2: menu({ 1: voicemail('one') }) }, voicemail('other'))), 'one');
  assert.equal(of(menu({ 1: ring(voicemail('ring')) }), menu({ 1: voicemail('closed') })), 'ring');
  assert.equal(of(menu({ 1: ring() }, voicemail('other')), ring()), 'other');
  assert.deepEqual(of(ring(), ring()), DEFAULT_VOICEMAIL.greeting_text);
});

test('the voicemail of a number is that of its config, and the default one without a config', async () => {
  const { tenantId, number } = await makeLine(harness);
  const ledger = (await findLedger(harness.context.db, await testLedger(harness))) as Ledger;
  const find = () => findVoicemail(harness.context.db, ledger, number.id);
  assert.deepEqual(await find(), DEFAULT_VOICEMAIL);
  const closed_behavior = voicemail('We open at eight.');
  const body = { tenant_id: tenantId, name: 'Desk', open_behavior: ring(), closed_behavior };
  const { body: config } = await harness.call('POST', '/v1/routing_configs', { body });
  await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id: config.id } });
  assert.deepEqual(await find(), closed_behavior);
});
