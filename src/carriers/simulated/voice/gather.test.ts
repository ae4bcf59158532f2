import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertTalked, callIn, passedMs, playParty, readCall, typesOf } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { MAGIC } from '../magic-numbers.ts';

const { harness, line } = await useLine({ startWorkers: false });

const gather = async (id: string, fields: object = {}) => {
  const opened = await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key.', ...fields } });
  assert.equal(opened.status, 200, JSON.stringify(opened.body));
  await harness.advance(0);
};
const digitsOf = (call: Json) =>
  call.events.find((entry: { type: string }) => entry.type === 'gather_finished')?.detail.digits;
const digitEventsOf = async (id: string) => (await typesOf(harness, id)).filter((type) => type === 'call.dtmf').length;

/** Returns the milliseconds until the customer automatically presses a digit; undefined if none is planned. */
async function pressesIn(id: string): Promise<number | undefined> {
  const text = `select extract(epoch from run_at - clock_timestamp())::float8 * 1000 as ms from jobs
    where id like 'simulated.call_action:' || $1 || ':press_digit:%'`;
  const [job] = await sql<{ ms: number }>(harness.context.db, text, [id]);
  return job?.ms;
}

test('digits by hand replace the digit that the customer would press, even one that is due', async () => {
  const { id } = await talk(harness, line);
  await gather(id);
  assert.notEqual(await pressesIn(id), undefined, 'a digit is planned');
  const due = `update jobs set due_at = clock_timestamp(), run_at = clock_timestamp()
    where id like 'simulated.call_action:' || $1 || ':press_digit:%'`;
  await sql(harness.context.db, due, [id]);
  await playParty(harness, id, 'dtmf', { digits: '7' });
  await harness.advance(10);
  assert.equal(digitsOf(await readCall(harness, id)), '7');
  assert.equal(await digitEventsOf(id), 1);
});

test('no digit is pressed for a gather that is over before', async () => {
  const { id } = await talk(harness, line);
  await gather(id, { timeout_ms: 1_000 });
  assert.equal(await pressesIn(id), undefined);
  await harness.advance(12);
  assert.equal(digitsOf(await readCall(harness, id)), '');
  assert.equal(await digitEventsOf(id), 0);
});

test('the customer stays while a gather waits for digits, each with its own timeout, and 2 s longer', async () => {
  const { id } = await talk(harness, line, { to: MAGIC.pressesNothing });
  await harness.advance(10);
  await gather(id, { max_digits: 4, timeout_ms: 20_000 });
  for (const digits of ['1', '2', '3']) {
    await harness.advance(12);
    await playParty(harness, id, 'dtmf', { digits });
  }
  await harness.advance(12);
  assert.equal((await readCall(harness, id)).status, 'in_progress', 'the fourth digit may still come');
  await playParty(harness, id, 'dtmf', { digits: '4' });
  assert.equal(digitsOf(await readCall(harness, id)), '1234');
  await harness.advance(3);
  const over = await readCall(harness, id);
  assert.equal(over.status, 'completed');
  assert.ok(passedMs(over, 'gather_finished', 'hangup') >= 2_000);
});

test('a gather that is over early does not shorten the 15 s of talk', async () => {
  const { id } = await talk(harness, line);
  await gather(id);
  await harness.advance(25);
  const call = await readCall(harness, id);
  assert.equal(call.status, 'completed');
  assertTalked(call, 15);
});

/** Makes a call that the voicemail has answered, because its number has no routing config. */
async function reachVoicemail(fields: object = {}): Promise<string> {
  const { id } = await callIn(harness, await makeLine(harness), fields);
  await harness.advance(0);
  const { status, answered_by } = await readCall(harness, id);
  assert.deepEqual([status, answered_by], ['in_progress', 'voicemail']);
  return id;
}

test('a caller whom the voicemail has answered presses a digit for a gather, and leaves its message all the same', async () => {
  const id = await reachVoicemail();
  await gather(id, { prompt: 'Press 1 for the clinic, press 2 for the pharmacy, press 3 for the billing office.' });
  await harness.advance(60);
  const call = await readCall(harness, id);
  assert.equal(digitsOf(call), '1');
  assert.equal(await digitEventsOf(id), 1);
  assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
});

test('a caller at the voicemail stays while a gather waits for digits, and leaves soon after', async () => {
  const id = await reachVoicemail({ from: MAGIC.pressesNothing });
  await gather(id, { timeout_ms: 60_000 });
  await harness.advance(45);
  const waiting = await readCall(harness, id);
  assert.equal(waiting.status, 'in_progress', 'its message is over, the gather is not');
  assert.ok(waiting.events.some((entry: Json) => entry.type === 'voicemail_started'));
  await playParty(harness, id, 'dtmf', { digits: '4' });
  assert.equal(digitsOf(await readCall(harness, id)), '4');
  await harness.advance(3);
  assert.equal((await readCall(harness, id)).status, 'completed');
});
