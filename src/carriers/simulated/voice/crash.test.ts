import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callIn, type Line, logOf, playParty, readCall, typesOf } from '../../../../test/support/calls.ts';
import { testLedger } from '../../../../test/support/events.ts';
import { failEveryOther } from '../../../../test/support/failing-commits.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { makeCaller } from '../../../../test/support/voice.ts';
import { applyVoiceEvents } from '../../../domain/voice/index.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { ACT_KIND, type ActPayload, actId } from './acts.ts';
import { createActPerformer } from './performer.ts';
import { listLegs } from './queries.ts';

let harness: Harness;
let line: Line;
before(async () => {
  harness = await startHarness({ startWorkers: false });
  line = await makeCaller(harness);
});
after(() => harness.close());

/** Time passes, and every other transaction that steps a call is lost. */
async function limpOn(seconds: number): Promise<number> {
  const losing = failEveryOther(harness.context.db, 'calls_lock_state');
  await harness.advance(seconds);
  losing.stop();
  return losing.failed;
}

test('a crash between the books and the domain loses no message that a caller left', async () => {
  const { id } = await callIn(harness, line);
  assert.ok((await limpOn(30)) > 2);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
  assert.equal((await read(harness, `/voicemails/${call.voicemail_id}`)).duration_seconds, 3);
});

test('a crash between the books and the domain loses no key, word, recording or end of a call', async () => {
  const placed = await harness.call('POST', '/v1/calls', {
    body: { from: line.number.id, to: newPerson(), connect_to: newPerson(), record: true, transcribe: true },
  });
  const { id } = placed.body;
  assert.ok((await limpOn(19)) > 2);
  await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key.' } });
  await limpOn(30);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'answered']);
  assert.ok(logOf(call).includes('bridged'));
  assert.equal(call.events.find((entry: { type: string }) => entry.type === 'gather_finished').detail.digits, '1');
  assert.ok(call.recording_id !== null);
  const types = await typesOf(harness, id);
  assert.deepEqual(types.filter((type) => type === 'call.dtmf' || type === 'call.completed').length, 2);
  assert.equal(types.filter((type) => type === 'call.transcript').length, 2);
});

/** The hang-up that the customer of a call is about to do, in the hands of a worker. */
async function claimHangUp(id: string, leaseToken: string): Promise<Job<ActPayload>> {
  const { db } = harness.context;
  const ledgerId = await testLedger(harness);
  const customer = (await listLegs(db, ledgerId, id)).find((leg) => leg.party === 'customer');
  const legRef = customer?.leg_ref ?? assert.fail('there is no customer');
  const jobId = actId(id, `hang_up:${legRef}`);
  const text = `update jobs set lease_token = $2, run_at = now() + interval '30 seconds' where id = $1`;
  await sql(db, text, [jobId, leaseToken]);
  const payload: ActPayload = { callRef: id, act: { act: 'hang_up', legRef } };
  return { ledgerId, id: jobId, kind: ACT_KIND, payload, attempt: 1, leaseToken };
}

const performer = () =>
  createActPerformer({
    db: harness.context.db,
    takeEvents: applyVoiceEvents(harness.context),
    speechMs: async () => 0,
  });

test('a worker that has lost an act, and wakes up, does it no more; the others that it has it does', async () => {
  const [passed, kept] = [await talk(harness, line), await talk(harness, line)];
  const lost = await claimHangUp(passed.id, 'of one that stood still');
  const held = await claimHangUp(passed.id, 'of the next');
  await performer().run([lost, await claimHangUp(kept.id, 'of one that stood still')]);
  assert.equal((await readCall(harness, passed.id)).status, 'in_progress');
  assert.equal((await readCall(harness, kept.id)).status, 'completed');
  await performer().run([held]);
  assert.equal((await readCall(harness, passed.id)).status, 'completed');
});

test('an act that is taken back while a worker has it does not happen', async () => {
  const { id } = await talk(harness, line);
  const held = await claimHangUp(id, 'of a slow one');
  await playParty(harness, id, 'hangup', { party: 'agent' });
  const before = await readCall(harness, id);
  await performer().run([held]);
  assert.deepEqual(await readCall(harness, id), before);
});
