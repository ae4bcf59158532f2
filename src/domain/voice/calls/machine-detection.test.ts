/** Calls with a detection of who answers, over the API and the simulated network. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logOf, passedMs } from '../../../../test/support/calls.ts';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { startHttpTarget } from '../../../../test/support/http-target.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { listen } from '../../../../test/support/recordings.ts';
import { powerAt } from '../../../../test/support/tone-power.ts';
import { toneFile } from '../../../../test/support/wav-file.ts';
import { MAGIC } from '../../../carriers/simulated/magic-numbers.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });
const { db } = harness.context;

/** An audio message of two seconds, and the server that serves it. */
const AUDIO = toneFile(1_600, 2, { bits: 16 });
const target = await startHttpTarget(({ url }, response) => {
  if (url === '/message.wav') response.end(AUDIO);
  else if (url === '/page.html') response.end('<html></html>');
  else response.writeHead(404).end();
});
closeAfterTests(() => target.close());

const place = (fields: object) =>
  harness.call('POST', '/v1/calls', { body: { from: number.id, connect_to: newPerson(), ...fields } });

/** Places a call, and returns it after its end. */
async function called(to: string, machine_detection: object, fields: object = {}): Promise<Json> {
  const placed = await place({ to, machine_detection, ...fields });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  assert.equal(placed.body.answered_by_kind, null);
  await harness.advance(120);
  return await read(harness, `/calls/${placed.body.id}`);
}

const eventsOf = async (id: string, type: string) =>
  (await listEvents(harness, id)).filter((event: Json) => event.type === type).map(({ data }: Json) => data);
const detailOf = (call: Json, type: string) => call.events.find((entry: Json) => entry.type === type)?.detail;
const MESSAGE = { on_machine: 'leave_message', message: { text: 'This is the clinic. Please call us back.' } };

describe('who answers', () => {
  test('a person is a person, whatever a machine would get, and talks with the agent', async () => {
    for (const on_machine of ['continue', 'hangup'] as const) {
      const call = await called(newPerson(), { on_machine });
      assert.deepEqual([call.answered_by_kind, call.status, call.outcome], ['person', 'completed', 'answered']);
      assert.ok(call.duration_seconds >= 15, `${call.duration_seconds} s`);
      assert.deepEqual(await eventsOf(call.id, 'call.machine_detected'), []);
    }
    const call = await called(newPerson(), MESSAGE);
    assert.deepEqual([call.answered_by_kind, detailOf(call, 'message_left')], ['person', undefined]);
  });

  test('a machine is told by an event, and the parties were connected at its answer, not at the verdict', async () => {
    const call = await called(MAGIC.machine, { on_machine: 'continue' });
    assert.equal(call.answered_by_kind, 'machine');
    const object = { call_id: call.id };
    assert.deepEqual(await eventsOf(call.id, 'call.machine_detected'), [
      { object: 'call_machine', ...object, answered_by_kind: 'machine' },
    ]);
    assert.deepEqual(await eventsOf(call.id, 'call.greeting_ended'), [
      { object: 'call_greeting', ...object, beep: true },
    ]);
    const log = logOf(call);
    assert.ok(log.indexOf('bridged') < log.indexOf('answer_classified'), log.join(' '));
    assert.ok(passedMs(call, 'bridged', 'answer_classified') > 3_000);
    assert.deepEqual(detailOf(call, 'message_left'), undefined);
  });

  test('a fax is a fax, and silence is unknown', async () => {
    const fax = await called(MAGIC.fax, { on_machine: 'hangup' });
    assert.deepEqual([fax.answered_by_kind, detailOf(fax, 'hangup').reason], ['fax', 'machine_detected']);
    const [told] = await eventsOf(fax.id, 'call.machine_detected');
    assert.equal(told.answered_by_kind, 'fax');
    const silent = await called(MAGIC.silent, { on_machine: 'hangup' });
    assert.equal(silent.answered_by_kind, 'unknown');
    assert.notEqual(detailOf(silent, 'hangup').reason, 'machine_detected');
  });

  test('a call without detection does not say who answered', async () => {
    const { body } = await place({ to: MAGIC.machine });
    await harness.advance(120);
    const call = await read(harness, `/calls/${body.id}`);
    assert.deepEqual([call.status, call.answered_by_kind], ['completed', null]);
    assert.deepEqual(await eventsOf(call.id, 'call.machine_detected'), []);
  });

  test('hangup ends the call of a machine at the verdict', async () => {
    const call = await called(MAGIC.machine, { on_machine: 'hangup' });
    assert.deepEqual([call.status, call.answered_by_kind], ['completed', 'machine']);
    assert.equal(detailOf(call, 'hangup').reason, 'machine_detected');
    assert.ok(passedMs(call, 'answer_classified', 'hangup') < 100);
  });
});

/** Returns the milliseconds from the end of the beep to the start of the message, as the callee hears them. */
async function messageAfterBeepMs(callId: string): Promise<number> {
  const [row] = await sql<{ ms: number }>(
    db,
    `select extract(epoch from m.starts_at - b.starts_at) * 1000 - b.duration_ms as ms
     from simulated_sounds b join simulated_sounds m using (ledger_id, call_ref)
     where b.call_ref = $1 and b.kind = 'tone' and m.said_by is null and m.starts_at > b.starts_at`,
    [callId],
  );
  return Number(row?.ms);
}

describe('a message for a machine', () => {
  test('may be written as its text alone', async () => {
    const call = await called(MAGIC.machine, { ...MESSAGE, message: MESSAGE.message.text });
    assert.deepEqual(detailOf(call, 'message_left'), { completed: true });
  });

  test('starts within half a second of the beep, the agent is free before, and the call ends after it', async () => {
    const call = await called(MAGIC.machine, MESSAGE);
    assert.deepEqual([call.status, call.outcome, call.answered_by_kind], ['completed', 'answered', 'machine']);
    assert.deepEqual(detailOf(call, 'message_left'), { completed: true });
    assert.equal(detailOf(call, 'hangup').reason, 'message_left');
    const late = await messageAfterBeepMs(call.id);
    assert.ok(late >= 0 && late <= 500, `${late} ms`);
    const [agent] = await sql<{ seconds: number }>(
      db,
      `select extract(epoch from b.starts_at - l.ended_at)::float8 as seconds from simulated_legs l
       join simulated_sounds b using (ledger_id, call_ref) where l.call_ref = $1 and l.party = 'agent' and b.kind = 'tone'`,
      [call.id],
    );
    assert.ok((agent?.seconds ?? 0) > 0, 'the agent hears the greeting to its end');
  });

  test('is in the recording of what the machine hears, from 0 to 500 ms after its beep on', async () => {
    const url = `${target.origin}/message.wav`;
    const detection = { on_machine: 'leave_message', message: { audio_url: url } };
    const call = await called(MAGIC.machine, detection, { record: true });
    assert.deepEqual(detailOf(call, 'message_left'), { completed: true });
    const pcm = await listen(harness, `/v1/recordings/${call.recording_id}/audio`);
    const [beepMs, messageMs] = [startMsOf(pcm, 1_000, 400), startMsOf(pcm, 1_600, 2_000)];
    const late = messageMs - (beepMs + 400);
    assert.ok(late >= -20 && late <= 520, `the beep at ${beepMs} ms, the message at ${messageMs} ms`);
  });

  test('waits for a silence if the machine has no beep', async () => {
    const call = await called(MAGIC.machineWithoutBeep, MESSAGE);
    assert.deepEqual(detailOf(call, 'greeting_ended'), { beep: false });
    assert.deepEqual(detailOf(call, 'message_left'), { completed: true });
  });

  test('of an application: the application is relieved, and its ten seconds do not end the call', async () => {
    const call = await called(MAGIC.machine, MESSAGE, { connect_to: 'application' });
    assert.deepEqual([call.status, detailOf(call, 'message_left')], ['completed', { completed: true }]);
  });

  test('a fax gets no message', async () => {
    const call = await called(MAGIC.fax, MESSAGE);
    assert.deepEqual(
      [detailOf(call, 'message_left'), detailOf(call, 'hangup').reason],
      [undefined, 'machine_detected'],
    );
  });
});

/** Returns the start (ms) of a tone of the given length. This is the position where the tone has the most energy. */
function startMsOf(pcm: Int16Array, hz: number, lastsMs: number): number {
  const length = lastsMs * 8;
  const powers = Array.from({ length: Math.floor((pcm.length - length) / 40) }, (_, index) =>
    powerAt(pcm, hz, { start: index * 40, length }),
  );
  const loudest = Math.max(...powers);
  assert.ok(loudest > 5_000_000, `no ${hz} Hz: ${loudest}`);
  return powers.indexOf(loudest) * 5;
}

describe('what is refused', () => {
  const machine = (fields: object) => place({ to: newPerson(), machine_detection: fields });

  test('a message goes with leave_message, and is either text or audio', async () => {
    const text = 'Please call us back.';
    for (const fields of [
      { on_machine: 'leave_message', message: {} },
      { on_machine: 'leave_message', message: { text, audio_url: 'https://example.com/a.wav' } },
      { on_machine: 'hangup', message: { text } },
      { on_machine: 'hangup', message: text },
      { on_machine: 'leave_message', message: 5 },
    ]) {
      assert.deepEqual(refusal(await machine(fields)), [400, 'invalid_body', 'machine_detection.message']);
    }
    const MISSING = [400, 'missing_fields'];
    assert.deepEqual(refusal(await machine({})), [...MISSING, 'machine_detection.on_machine']);
    const without = await machine({ on_machine: 'leave_message' });
    assert.deepEqual(refusal(without), [...MISSING, 'machine_detection.message']);
    const blank = await machine({ on_machine: 'leave_message', message: { text: ' ' } });
    assert.deepEqual(refusal(blank), [400, 'invalid_body', 'machine_detection.message.text']);
    const blankText = await machine({ on_machine: 'leave_message', message: ' ' });
    assert.deepEqual(refusal(blankText), [400, 'invalid_body', 'machine_detection.message']);
  });

  test('a person who has opted out of calls gets no message; a person may call nevertheless', async () => {
    const person = newPerson();
    const opted = { tenant_id: tenantId, external_number: person, channels: ['call'] };
    await harness.call('POST', '/v1/opt_outs', { body: opted });
    const refused = await place({ to: person, machine_detection: MESSAGE });
    assert.deepEqual(refusal(refused), [422, 'recipient_opted_out', 'to']);
    for (const on_machine of ['continue', 'hangup']) {
      assert.equal((await place({ to: person, machine_detection: { on_machine } })).status, 201);
    }
  });

  test('audio that cannot be fetched, or is none, or is at an address of the inside', async () => {
    const calls = async () => (await sql<{ count: number }>(db, 'select count(*)::int from calls'))[0]?.count;
    const before = await calls();
    for (const url of [`${target.origin}/missing.wav`, `${target.origin}/page.html`, 'https://169.254.169.254/a.wav']) {
      const reply = await machine({ on_machine: 'leave_message', message: { audio_url: url } });
      assert.deepEqual(refusal(reply), [400, 'invalid_url', 'machine_detection.message.audio_url'], url);
    }
    assert.equal(await calls(), before);
  });

  test('no file is fetched for a call that is refused', async () => {
    const message = { audio_url: `${target.origin}/unseen.wav` };
    const detection = { on_machine: 'leave_message', message };
    const reply = await place({ from: 'num_none', to: newPerson(), machine_detection: detection });
    assert.equal(reply.body.error.code, 'from_number_not_found');
    assert.ok(target.requests.every(({ path }) => path !== '/unseen.wav'));
  });
});
