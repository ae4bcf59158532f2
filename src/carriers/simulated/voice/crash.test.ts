import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, logOf, playParty, readCall, typesOf } from '../../../../test/support/calls.ts';
import { testLedger } from '../../../../test/support/events.ts';
import { failEveryOther } from '../../../../test/support/failing-commits.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { applyVoiceEvents } from '../../../domain/voice/index.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { SIMULATED_DOMAIN } from '../../../server/parts/simulated-domain.ts';
import { createActionWorker, createSimulatedCalls } from './executor.ts';
import { ACTION_KIND, type ActionPayload, actionId, readCall as readStored } from './queries.ts';

// The ring time of the simulated carrier is 5 s, and a ledger's clock does not stop. With the usual delays before a
// retry, a party with failed steps answers late. Then a pause of one second would end the call.
const { harness, line } = await useLine({ startWorkers: false, workerSettings: { retryMinMs: 50 } });

/** Lets time pass. Every second transaction that steps a call fails. */
async function advanceWithFailures(seconds: number): Promise<number> {
  const losing = failEveryOther(harness.context.db, 'calls_lock_state');
  await harness.advance(seconds);
  losing.stop();
  return losing.failed;
}

test('a crash between a step and its events loses no message that a caller left', async () => {
  const { id } = await callIn(harness, line);
  assert.ok((await advanceWithFailures(30)) > 2);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
  assert.equal((await read(harness, `/voicemails/${call.voicemail_id}`)).duration_seconds, 3);
});

test('a crash between a step and its events loses no digit, utterance, recording or end of a call', async () => {
  const placed = await harness.call('POST', '/v1/calls', {
    body: { from: line.number.id, to: newPerson(), connect_to: newPerson(), record: true, transcribe: true },
  });
  const { id } = placed.body;
  assert.ok((await advanceWithFailures(15)) > 2);
  await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key.' } });
  await advanceWithFailures(30);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'answered']);
  assert.ok(logOf(call).includes('bridged'));
  assert.equal(call.events.find((entry: { type: string }) => entry.type === 'gather_finished').detail.digits, '1');
  assert.ok(call.recording_id !== null);
  const types = await typesOf(harness, id);
  assert.deepEqual(types.filter((type) => type === 'call.dtmf' || type === 'call.completed').length, 2);
  assert.equal(types.filter((type) => type === 'call.transcript').length, 2);
});

/** Claims the scheduled hang-up of a call's customer for a worker. */
async function claimHangUp(id: string, leaseToken: string): Promise<Job<ActionPayload>> {
  const { db } = harness.context;
  const ledgerId = await testLedger(harness);
  const customer = (await readStored(db, { ledgerId, callRef: id }))?.call.legs.find((leg) => leg.party === 'customer');
  const legRef = customer?.leg_ref ?? assert.fail('there is no customer');
  const jobId = actionId(id, `hang_up:${legRef}`);
  const text = `update jobs set lease_token = $2, run_at = now() + interval '30 seconds' where id = $1`;
  await sql(db, text, [jobId, leaseToken]);
  const payload: ActionPayload = { callRef: id, action: { do: 'hang_up', legRef } };
  return { ledgerId, id: jobId, kind: ACTION_KIND, payload, attempt: 1, leaseToken };
}

const worker = () =>
  createActionWorker({
    db: harness.context.db,
    executor: createSimulatedCalls({ takeEvents: applyVoiceEvents(harness.context), domain: SIMULATED_DOMAIN.calls })
      .executor,
    speechMs: async () => 0,
    makers: { synthesize: async () => new Int16Array() },
  });

test('a worker that stalled does not carry out an action that it has lost, but the others that it has', async () => {
  const [passed, kept] = [await talk(harness, line), await talk(harness, line)];
  const lost = await claimHangUp(passed.id, 'of a stalled worker');
  const held = await claimHangUp(passed.id, 'of the next worker');
  await worker().run([lost, await claimHangUp(kept.id, 'of a stalled worker')]);
  assert.equal((await readCall(harness, passed.id)).status, 'in_progress');
  assert.equal((await readCall(harness, kept.id)).status, 'completed');
  await worker().run([held]);
  assert.equal((await readCall(harness, passed.id)).status, 'completed');
});

test('an action that is cancelled while a worker has it is not carried out', async () => {
  const { id } = await talk(harness, line);
  const held = await claimHangUp(id, 'of a slow worker');
  await playParty(harness, id, 'hangup', { party: 'agent' });
  const before = await readCall(harness, id);
  await worker().run([held]);
  assert.deepEqual(await readCall(harness, id), before);
});
