import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assertTalked,
  callIn,
  logOf,
  passedMs,
  playParty,
  readCall,
  ringing,
  route,
  typesOf,
  voicemail,
} from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { type Line, makeLine } from '../../../../test/support/numbers.ts';
import { place } from '../../../../test/support/voice.ts';
import { MAGIC } from '../magic-numbers.ts';

const harness = await useHarness({ startWorkers: false });

const line = async (config?: object): Promise<Line> => {
  const made = await makeLine(harness);
  if (config !== undefined) await route(harness, made, config);
  return made;
};

/** Checks the time between the first entries of two types in the log. On a slow machine it may be up to 3 s longer. */
function assertPassed(call: Json, from: string, to: string, seconds: number): void {
  const passed = passedMs(call, from, to) / 1000;
  assert.ok(passed > seconds - 0.1 && passed < seconds + 3, `${passed} s from ${from} to ${to}`);
}

/** A script that keeps targets from answering for 250 s. */
const patient = { script: 'ring 250, answer' };

describe('a click-to-call', () => {
  test('rings the agent after 0.3 s, who answers a second later; then the customer, who hangs up after 15 s', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id);
    await harness.advance(30);
    const call = await readCall(harness, id);
    assert.equal(call.outcome, 'answered');
    assertTalked(call, 15);
    assertPassed(call, 'initiated', 'ringing', 0.3);
    assertPassed(call, 'ringing', 'answered', 1);
    assertPassed(call, 'bridged', 'hangup', 15);
    assert.deepEqual(await typesOf(harness, id), ['call.placed', 'call.answered', 'call.completed']);
  });

  test('fails when the agent never answers', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id, { connect_to: MAGIC.neverAnswers });
    await harness.advance(10);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome, call.answered_by], ['failed', 'no_answer', null]);
    assert.ok(!logOf(call).includes('answered'));
  });

  test('fails when the customer never answers', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id, { to: MAGIC.neverAnswers });
    await harness.advance(15);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome], ['failed', 'no_answer']);
    assert.equal(logOf(call).filter((type) => type === 'answered').length, 1);
  });

  test('is connected to an agent who presses nothing: only the customer presses digits', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id, { connect_to: MAGIC.pressesNothing });
    assert.equal((await gather(id)).digits, '1');
  });

  test('a gather hears a 1 from the customer 1.5 s after the prompt', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id);
    const result = await gather(id);
    assert.deepEqual([result.digits, result.reason], ['1', 'completed']);
    const [pressed] = (await eventsOfType(id, 'call.dtmf')) as [{ digit: string; pressed_by: string }];
    assert.deepEqual([pressed.digit, pressed.pressed_by], ['1', 'customer']);
  });

  test('a gather times out with a customer who presses nothing, and only then does that customer hang up', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id, { to: MAGIC.pressesNothing });
    const result = await gather(id, { timeout_ms: 20_000 }, 30);
    assert.deepEqual([result.digits, result.reason], ['', 'timeout']);
    assert.equal((await readCall(harness, id)).status, 'completed');
  });

  const gather = async (id: string, fields: object = {}, forSeconds = 8) => {
    const isConnected = async () => (await readCall(harness, id)).status === 'in_progress';
    // The party acts after 3 s, and a little later on a busy machine.
    for (let step = 0; step < 20 && !(await isConnected()); step++) await harness.advance(0.5);
    const opened = await harness.call('POST', `/v1/calls/${id}/gather`, {
      body: { prompt: 'Press a key.', ...fields },
    });
    assert.equal(opened.status, 200, JSON.stringify(opened.body));
    await harness.advance(forSeconds);
    const [result] = await eventsOfType(id, 'call.gather');
    assert.ok(result, 'the gather has no result');
    return result as { digits: string; reason: string };
  };

  const eventsOfType = async (id: string, type: string): Promise<unknown[]> => {
    const all = await listEvents(harness, id);
    return all.filter((event) => event.type === type).map(({ data }) => data);
  };
});

describe('an inbound call', () => {
  test('is answered by the target, talks 15 s, and its caller hangs up', async () => {
    const target = newPerson();
    const { id } = await callIn(harness, await line({ open_behavior: ringing([target]) }));
    await harness.advance(2);
    const talking = await readCall(harness, id);
    assert.deepEqual([talking.status, talking.answered_by], ['in_progress', target]);
    await harness.advance(16);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome], ['completed', 'answered']);
    assertTalked(call, 15);
    assert.deepEqual(await typesOf(harness, id), ['call.started', 'call.answered', 'call.completed']);
  });

  test('goes to the voicemail when its target never answers', async () => {
    const { id } = await callIn(harness, await line({ open_behavior: ringing([MAGIC.neverAnswers]) }));
    await harness.advance(16);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome, call.answered_by], ['completed', 'voicemail', 'voicemail']);
  });

  test('is missed when its target never answers and there is no voicemail', async () => {
    const silent = { open_behavior: ringing([MAGIC.neverAnswers], { no_answer: null }) };
    const { id } = await callIn(harness, await line(silent));
    await harness.advance(7);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome], ['missed', 'missed']);
    assert.deepEqual(await typesOf(harness, id), ['call.started', 'call.missed', 'call.completed']);
  });

  test('a caller whose number never answers can call as usual', async () => {
    const target = newPerson();
    const { id } = await callIn(harness, await line({ open_behavior: ringing([target]) }), {
      from: MAGIC.neverAnswers,
    });
    await harness.advance(2);
    assert.equal((await readCall(harness, id)).answered_by, target);
  });

  test('a gather times out with a caller who presses nothing', async () => {
    const config = { open_behavior: ringing([newPerson()]) };
    const { id } = await callIn(harness, await line(config), { from: MAGIC.pressesNothing });
    await harness.advance(2);
    await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key.', timeout_ms: 2_000 } });
    await harness.advance(6);
    const log = (await readCall(harness, id)).events;
    const finished = log.find((entry: { type: string }) => entry.type === 'gather_finished');
    assert.equal(finished?.detail.reason, 'timeout');
  });

  test('a target who presses nothing answers as usual, and the caller presses', async () => {
    const config = { open_behavior: ringing([MAGIC.pressesNothing]) };
    const { id } = await callIn(harness, await line(config));
    await harness.advance(2);
    await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key.' } });
    await harness.advance(6);
    const log = (await readCall(harness, id)).events;
    assert.equal(log.find((entry: { type: string }) => entry.type === 'gather_finished')?.detail.digits, '1');
  });

  test('of several targets one wins and the others stop ringing', async () => {
    const targets = [newPerson(), newPerson(), newPerson()];
    const { id } = await callIn(harness, await line({ open_behavior: ringing(targets) }));
    await harness.advance(2);
    const call = await readCall(harness, id);
    assert.ok(targets.includes(call.answered_by));
    assert.equal(logOf(call).filter((type) => type === 'answered').length, 1);
    assert.equal(logOf(call).filter((type) => type === 'target_cancelled').length, 2);
  });

  test('rings targets one after another if the strategy is sequential', async () => {
    const last = newPerson();
    const targets = [MAGIC.neverAnswers, last];
    const config = { open_behavior: ringing(targets, { strategy: 'sequential' }) };
    const { id } = await callIn(harness, await line(config));
    await harness.advance(8);
    const call = await readCall(harness, id);
    assert.equal(call.answered_by, last);
    const log = logOf(call).filter((type) => /target|answered/.test(type));
    assert.deepEqual(log, ['target_ringing', 'target_cancelled', 'target_ringing', 'answered']);
  });

  test('without routing reaches a voicemail, where the caller speaks for three seconds', async () => {
    const { id } = await callIn(harness, await line());
    await harness.advance(15);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
    assert.ok(logOf(call).includes('voicemail_started'));
  });
});

describe('controls', () => {
  test('a target answers before its time', async () => {
    const second = newPerson();
    const config = { open_behavior: ringing([newPerson(), second]) };
    const { id } = await callIn(harness, await line(config), patient);
    await harness.advance(0.1);
    await playParty(harness, id, 'answer', { target: second });
    await harness.advance(0);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.answered_by], ['in_progress', second]);
  });

  test('the caller gives up while targets ring', async () => {
    const { id } = await callIn(harness, await line({ open_behavior: ringing([newPerson()]) }), patient);
    await harness.advance(0.5);
    const call = await playParty(harness, id, 'hangup');
    assert.deepEqual([call.status, call.outcome], ['missed', 'missed']);
    assert.deepEqual(await typesOf(harness, id), ['call.started', 'call.missed', 'call.completed']);
  });

  test('the caller hangs up during the greeting: completed, and missed', async () => {
    const long = { ...voicemail, greeting_text: 'You have reached the clinic. We are closed now. Please call again.' };
    const { id } = await callIn(harness, await line({ open_behavior: ringing([newPerson()], { no_answer: long }) }));
    await playParty(harness, id, 'voicemail');
    await harness.advance(0.5);
    assert.equal((await readCall(harness, id)).answered_by, 'voicemail');
    const call = await playParty(harness, id, 'hangup');
    assert.deepEqual([call.status, call.outcome], ['completed', 'missed']);
    assert.deepEqual(await typesOf(harness, id), ['call.started', 'call.missed', 'call.completed']);
  });

  test('either party hangs up a conversation', async () => {
    for (const party of ['agent', 'customer']) {
      const { number } = await line();
      const { id } = await place(harness, number.id);
      await harness.advance(4);
      const call = await playParty(harness, id, 'hangup', { party });
      assert.deepEqual([call.status, call.outcome], ['completed', 'answered']);
      await harness.advance(20);
      assert.deepEqual(await typesOf(harness, id), ['call.placed', 'call.answered', 'call.completed']);
    }
  });

  test('a party presses digits', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id);
    await harness.advance(4);
    const call = await playParty(harness, id, 'dtmf', { digits: '42', party: 'agent' });
    const keys = call.events.filter((entry: { type: string }) => entry.type === 'dtmf');
    assert.deepEqual(
      keys.map((entry: { detail: object }) => entry.detail),
      [
        { digit: '4', pressed_by: 'agent' },
        { digit: '2', pressed_by: 'agent' },
      ],
    );
    assert.deepEqual(await typesOf(harness, id), ['call.placed', 'call.answered', 'call.dtmf', 'call.dtmf']);
  });

  test('no party can act on a call that is over', async () => {
    const { number } = await line();
    const { id } = await place(harness, number.id);
    await harness.advance(30);
    for (const [control, body] of [
      ['answer', {}],
      ['hangup', {}],
      ['dtmf', { digits: '1' }],
      ['speech', { speaker: 'agent', text: 'Hello' }],
      ['voicemail', {}],
    ] as const) {
      const reply = await harness.call('POST', `/v1/test/calls/${id}/${control}`, { body });
      assert.deepEqual([reply.status, reply.body.error.code], [409, 'call_not_active'], control);
    }
  });

  test('a script is followed to its end', async () => {
    const target = newPerson();
    const config = { open_behavior: ringing([target]) };
    const script = `ring 2, answer, say "Hello there", press 5, wait 1, hangup`;
    const { id } = await callIn(harness, await line(config), { script });
    await harness.advance(10);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.answered_by], ['completed', target]);
    assertPassed(call, 'initiated', 'answered', 2);
    assertPassed(call, 'dtmf', 'hangup', 1);
    assert.deepEqual(
      logOf(call).filter((type) => ['answered', 'dtmf', 'hangup'].includes(type)),
      ['answered', 'dtmf', 'hangup'],
    );
  });

  test('a script that cannot be followed is refused, with the name of the field', async () => {
    const { number } = await line();
    const body = { from: newPerson(), to: number.phone_number, script: 'dance' };
    const reply = await harness.call('POST', '/v1/test/inbound_calls', { body });
    assert.deepEqual([reply.status, reply.body.error.code, reply.body.error.param], [400, 'invalid_body', 'script']);
  });

  test('a scripted caller leaves its own message', async () => {
    const { id } = await callIn(harness, await line(), { script: 'say "Call me back", hangup' });
    await harness.advance(15);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
  });
});
