/** The audio of legs, and listeners, on a real engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeMulaw } from '../../src/audio/mulaw.ts';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { decodeWav } from '../../src/audio/wav.ts';
import { newId } from '../../src/lib/ids.ts';
import { sql, until } from '../support/jobs.ts';
import { tonesIn } from '../support/tone-power.ts';
import { HOLD_AUDIO, openDesk } from './media/desk.ts';

const desk = await openDesk();
const { ledger, gateway, engine } = desk;

const CUSTOMER_HZ = 450;
const AGENT_HZ = 500;
const PACKET_MS = 20;
/** Less than an engine buffers of a gateway's audio: a thousand packets. */
const LONG_MS = 15_000;
/** An engine accepts no frame of more than 64 KiB. */
const FRAME_MS = 5_000;

async function joinedCall() {
  const call = desk.call();
  const customer = await call.dial('customer', CUSTOMER_HZ);
  const agent = await call.dial('agent', AGENT_HZ);
  await call.order({ do: 'bridge', legRefs: [customer.legRef, agent.legRef] });
  await until('they hear each other', () => customer.phone.hears(AGENT_HZ) && agent.phone.hears(CUSTOMER_HZ));
  return { call, customer, agent };
}

const speech = (legRefs: readonly string[], text: string) => {
  return { do: 'speak', speechRef: newId('call'), legRefs, text, purpose: 'announcement' } as const;
};

/** A recording begins a moment after its command. */
async function untilRecorded(recordingRef: string): Promise<void> {
  const live = { method: 'GET', path: `/recordings/live/${recordingRef}` } as const;
  await until('the engine records', async () => (await desk.engine.client.ask(live)).is === 'answered');
}

test('a speech is heard by the leg alone that it is for, to its end', async () => {
  const { call, customer, agent } = await joinedCall();
  const toAgent = speech([agent.legRef], '700 Hz for 1500 ms');
  await call.order(toAgent);
  await until(
    'the agent hears it, and still the customer',
    () => agent.phone.hears(700) && agent.phone.hears(CUSTOMER_HZ),
  );
  const { completed } = await call.waitFor('speech.ended', { speechRef: toAgent.speechRef });
  assert.ok(completed);
  assert.ok(!customer.phone.hasHeard(700));
  const toBoth = speech([customer.legRef, agent.legRef], '800 Hz for 1500 ms');
  await call.order(toBoth);
  await until('both hear it', () => agent.phone.hears(800) && customer.phone.hears(800));
  await call.order({ do: 'stop_speech', speechRef: toBoth.speechRef });
  const stopped = await call.waitFor('speech.ended', { speechRef: toBoth.speechRef });
  assert.ok(!stopped.completed);
  await engine.untilUnheard('it is over', () => agent.phone.hears(800) || customer.phone.hears(800));
  await until('the customer hears the agent', () => customer.phone.hears(AGENT_HZ));
  await call.order({ do: 'stop_speech', speechRef: toBoth.speechRef });
});

test('a speech that is a file is played once, to its end', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  const played = { ...speech([legRef], ''), audioRef: HOLD_AUDIO };
  await call.order(played);
  await until('the customer hears the file', () => phone.hears(650));
  const { completed } = await call.waitFor('speech.ended', { speechRef: played.speechRef });
  assert.ok(completed);
  await engine.untilUnheard('it is over', () => phone.hears(650));
});

test('a sound that an engine has played is not fetched again', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  const requested = desk.requests.length;
  for (const round of [1, 2]) {
    const told = speech([legRef], '750 Hz for 500 ms');
    const before = phone.gotCount;
    await call.order(told);
    await until(`it is heard ${round}`, () => phone.hasHeard(750, before));
    assert.ok((await call.waitFor('speech.ended', { speechRef: told.speechRef })).completed);
    await engine.untilUnheard('it is over', () => phone.hears(750));
  }
  assert.equal(desk.requests.length, requested + 1);
});

test('a repeat of a command has no further effect', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  const once = speech([legRef], '700 Hz for 600 ms');
  const name = `${call.callRef}:once`;
  await call.dispatch(once, name);
  await call.dispatch(once, name);
  await until('it is heard', () => phone.hasHeard(700));
  await call.waitFor('speech.ended', { speechRef: once.speechRef });
  await call.dispatch(once, name);
  const last = speech([legRef], '900 Hz for 400 ms');
  await call.order(last);
  await call.waitFor('speech.ended', { speechRef: last.speechRef });
  const ends = desk.events.filter((event) => event.type === 'speech.ended' && event.speechRef === once.speechRef);
  assert.equal(ends.length, 1);
});

test('a leg that is held hears hold audio and speeches, and no one else, until it is resumed', async () => {
  const { call, customer, agent } = await joinedCall();
  await call.order({ do: 'hold', legRef: customer.legRef, audioRef: null });
  await until('the customer hears the notes', () => customer.phone.hears(392) || customer.phone.hears(588));
  await engine.untilUnheard('they hear each other no more', () => {
    return customer.phone.hears(AGENT_HZ) || agent.phone.hears(CUSTOMER_HZ);
  });
  const over = speech([customer.legRef], '900 Hz for 1000 ms');
  await call.order(over);
  await until('the customer hears a speech over it', () => customer.phone.hasHeard(900));
  assert.ok(!agent.phone.hasHeard(900));
  await call.waitFor('speech.ended', { speechRef: over.speechRef });
  await call.order({ do: 'resume', legRef: customer.legRef });
  await until('they hear each other', () => customer.phone.hears(AGENT_HZ) && agent.phone.hears(CUSTOMER_HZ));
  await call.order({ do: 'hold', legRef: agent.legRef, audioRef: null });
  await until('the agent hears the notes', () => agent.phone.hears(392) || agent.phone.hears(588));
  await call.order({ do: 'bridge', legRefs: [customer.legRef, agent.legRef] });
  await until('a bridge ends it', () => customer.phone.hears(AGENT_HZ) && agent.phone.hears(CUSTOMER_HZ));
});

test('hold audio is that of the number; audio that was deleted is replaced by the built-in notes', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  await call.order({ do: 'hold', legRef, audioRef: HOLD_AUDIO });
  await until('the customer hears the audio of the number', () => phone.hears(650));
  await call.order({ do: 'resume', legRef });
  await engine.untilUnheard('the customer hears nothing', () => phone.hears(650));
  await call.order({ do: 'hold', legRef, audioRef: 'hold_gone' });
  await until('the customer hears the notes', () => phone.hears(392) || phone.hears(588));
});

test('a leg whose partner has gone is held at once, in the middle of a speech', async () => {
  const { call, customer, agent } = await joinedCall();
  await call.order({ do: 'hang_up', legRef: agent.legRef, reason: 'ended' });
  await call.waitFor('leg.ended', { legRef: agent.legRef });
  const told = speech([customer.legRef], '700 Hz for 9000 ms');
  await call.order(told);
  await until('the customer hears it', () => customer.phone.hears(700));
  await call.order({ do: 'hold', legRef: customer.legRef, audioRef: null });
  assert.ok(!(await call.waitFor('speech.ended', { speechRef: told.speechRef })).completed);
  await until('the customer hears the notes', () => customer.phone.hears(392) || customer.phone.hears(588));
});

test('a round of hold audio is followed by the next one', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  await call.order({ do: 'hold', legRef, audioRef: null });
  await until('the customer hears the notes', () => phone.hears(392) || phone.hears(588));
  const playing = "select id from sip_playbacks where leg_ref = $1 and kind = 'hold' and ended_at is null";
  const [first] = await sql<{ id: string }>(desk.db, playing, [legRef]);
  assert.ok(first);
  await desk.engine.remove(`/playbacks/${first.id}`);
  const isNext = (rows: readonly { id: string }[]) => rows.length === 1 && rows[0]?.id !== first.id;
  await until('the next round has begun', async () => isNext(await sql(desk.db, playing, [legRef])));
  await until('the customer hears no note', () => !phone.hears(392) && !phone.hears(588));
  await until('the customer hears the notes again', () => phone.hears(392) || phone.hears(588));
  await call.order({ do: 'resume', legRef });
  await until('no round follows', async () => (await sql(desk.db, playing, [legRef])).length === 0);
  assert.ok(!(await call.dispatch({ do: 'resume', legRef })).outcome.startsWith('un'));
});

test('a speech that nothing can speak, or that is one too many, is refused', async () => {
  const call = desk.call();
  const { legRef } = await call.dial('customer', CUSTOMER_HZ);
  const unspeakable = await call.dispatch(speech([legRef], 'words'));
  assert.deepEqual(unspeakable, { outcome: 'rejected', reason: 'speech_unavailable' });
  const outcomes = [];
  for (let count = 0; count < 33; count++) outcomes.push(await call.dispatch(speech([legRef], '700 Hz for 9000 ms')));
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'accepted').length, 32);
  assert.deepEqual(outcomes.at(-1), { outcome: 'rejected', reason: 'not_supported' });
  await call.order({ do: 'hang_up', legRef, reason: 'ended' });
});

const streamOf = (legRef: string, callRef: string) => {
  const query = new URLSearchParams({ node: 'n', call: callRef, leg: legRef, track: 'both', token: 'svcin_a.b_c' });
  const url = `wss://media.example/v1/ingest?${query}`;
  const streamRef = newId('call');
  return { do: 'start_stream', streamRef, legRef, direction: 'bidirectional', track: 'both', url } as const;
};
const tone = (frequencyHz: number, ms: number) =>
  Buffer.from(encodeMulaw(sine({ frequencyHz, samples: samplesOf(ms) })));

test('a recording has both sides, speeches and the voice of the gateway', async () => {
  const { call, customer, agent } = await joinedCall();
  const recordingRef = newId('recording');
  await call.order({ do: 'start_recording', recordingRef, legRefs: [customer.legRef, agent.legRef], beep: true });
  await until('the beep is heard', () => customer.phone.hasHeard(1_000) || agent.phone.hasHeard(1_000));
  await call.order(speech([customer.legRef], '700 Hz for 600 ms'));
  const stream = streamOf(customer.legRef, call.callRef);
  await call.order(stream);
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  const socket = await gateway.socket(customer.legRef, 'inbound');
  socket.webSocket.send(tone(900, 1_500));
  await until('the customer hears the gateway', () => customer.phone.hasHeard(900));
  assert.ok(!agent.phone.hasHeard(900));
  await engine.untilUnheard('the gateway is silent', () => customer.phone.hears(900));
  assert.deepEqual(await desk.voice().findRecording(ledger, { callRef: call.callRef, recordingRef }), {
    found: 'undecided',
  });
  await call.order({ do: 'stop_recording', recordingRef });
  const { durationMs } = await call.waitFor('recording.ended', { recordingRef });
  const file = await desk.voice().fetchRecording(ledger, recordingRef);
  assert.ok(file);
  assert.equal(durationMs, Math.round(decodeWav(file).pcm.length / 8));
  assert.deepEqual(tonesIn(decodeWav(file).pcm, [450, 500, 600, 700, 900]), [450, 500, 700, 900]);
  const found = () => desk.voice().findRecording(ledger, { callRef: call.callRef, recordingRef });
  // The end is stored after its report has been handled.
  await until('the end is stored', async () => (await found()).found !== 'undecided');
  assert.deepEqual(await found(), { found: 'accepted', durationMs });
});

test('a recording ends with its leg', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  const recordingRef = newId('recording');
  await call.order({ do: 'start_recording', recordingRef, legRefs: [legRef], beep: false });
  await untilRecorded(recordingRef);
  const last = speech([legRef], '700 Hz for 500 ms');
  await call.order(last);
  await call.waitFor('speech.ended', { speechRef: last.speechRef });
  await call.order({ do: 'hang_up', legRef, reason: 'ended' });
  const { durationMs } = await call.waitFor('recording.ended', { recordingRef });
  assert.ok(durationMs >= 500, String(durationMs));
  await until('the telephone has ended', () => phone.hasEnded);
  assert.deepEqual(await call.dispatch({ do: 'stop_recording', recordingRef }), { outcome: 'accepted' });
});

test('the gateway has both tracks, and a leg that hears no one hears the gateway', async () => {
  const call = desk.call();
  const customer = await call.dial('customer', CUSTOMER_HZ);
  const stream = streamOf(customer.legRef, call.callRef);
  await call.order(stream);
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  const [inbound, outbound] = [
    await gateway.socket(customer.legRef, 'inbound'),
    await gateway.socket(customer.legRef, 'outbound'),
  ];
  assert.equal(inbound.query.get('token'), 'svcin_a.b_c');
  await until('the customer is heard', () => inbound.hears(CUSTOMER_HZ));
  const before = customer.phone.gotCount;
  for (let saidMs = 0; saidMs < LONG_MS; saidMs += FRAME_MS) inbound.webSocket.send(tone(900, FRAME_MS));
  await until('the customer hears the gateway', () => customer.phone.hears(900));
  inbound.webSocket.send('{"command":"FLUSH_MEDIA"}');
  await engine.untilUnheard('it is stopped', () => customer.phone.hears(900));
  const heardMs = (customer.phone.gotCount - before) * PACKET_MS;
  assert.ok(heardMs < LONG_MS / 2, `${heardMs} ms of it were heard`);
  const told = speech([customer.legRef], '700 Hz for 800 ms');
  await call.order(told);
  await until('what the customer is sent is heard', () => outbound.hasHeard(700));
  await call.waitFor('speech.ended', { speechRef: told.speechRef });
  const spoken = customer.phone.gotCount;
  inbound.webSocket.send(tone(900, 1_000));
  await until('the customer hears the gateway after a speech', () => customer.phone.hasHeard(900, spoken));
  const agent = await call.dial('agent', AGENT_HZ);
  await call.order({ do: 'bridge', legRefs: [customer.legRef, agent.legRef] });
  await until('the agent is heard', () => outbound.hears(AGENT_HZ) && customer.phone.hears(AGENT_HZ));
  assert.ok(!inbound.hasHeard(AGENT_HZ));
  await call.order({ do: 'hang_up', legRef: agent.legRef, reason: 'ended' });
  await engine.untilUnheard('the agent is gone', () => customer.phone.hears(AGENT_HZ));
  const joined = customer.phone.gotCount;
  inbound.webSocket.send(tone(900, 3_000));
  await until('the customer, alone again, hears the gateway', () => customer.phone.hasHeard(900, joined));
  await call.order({ do: 'hang_up', legRef: customer.legRef, reason: 'ended' });
  await call.waitFor('stream.ended', { streamRef: stream.streamRef });
  await until('the sockets are closed', () => inbound.isClosed && outbound.isClosed);
});

test('a gateway that goes away ends the stream, and not the call', async () => {
  const { call, customer, agent } = await joinedCall();
  const stream = streamOf(customer.legRef, call.callRef);
  await call.order(stream);
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  (await gateway.socket(customer.legRef, 'inbound')).webSocket.terminate();
  await call.waitFor('stream.ended', { streamRef: stream.streamRef });
  const outbound = await gateway.socket(customer.legRef, 'outbound');
  await until('the other socket is closed', () => outbound.isClosed);
  await until('they hear each other', () => customer.phone.hears(AGENT_HZ) && agent.phone.hears(CUSTOMER_HZ));
});

test('a gateway that never reads keeps no call from ending', async () => {
  const { call, customer } = await joinedCall();
  const stream = streamOf(customer.legRef, call.callRef);
  await call.order(stream);
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  for (const track of ['inbound', 'outbound']) (await gateway.socket(customer.legRef, track)).webSocket.pause();
  await call.order({ do: 'hang_up', legRef: customer.legRef, reason: 'ended' });
  await call.waitFor('leg.ended', { legRef: customer.legRef });
  await call.waitFor('stream.ended', { streamRef: stream.streamRef });
});

test('what ended while no process heard the engine is reported afterwards', async () => {
  const call = desk.call();
  const { legRef, phone } = await call.dial('customer', CUSTOMER_HZ);
  const recordingRef = newId('recording');
  await call.order({ do: 'start_recording', recordingRef, legRefs: [legRef], beep: false });
  const stream = streamOf(legRef, call.callRef);
  await call.order(stream);
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  await untilRecorded(recordingRef);
  const told = speech([legRef], '700 Hz for 2500 ms');
  await call.order(told);
  await until('the speech is heard', () => phone.hasHeard(700));
  await desk.deaf(async () => {
    await engine.untilUnheard('the speech is over', () => phone.hears(700));
    await desk.engine.remove(`/channels/${legRef}.0`);
    await until('the telephone has ended', () => phone.hasEnded);
  });
  assert.ok((await call.waitFor('speech.ended', { speechRef: told.speechRef })).completed);
  await call.waitFor('stream.ended', { streamRef: stream.streamRef });
  assert.ok((await call.waitFor('recording.ended', { recordingRef })).durationMs > 0);
  await call.waitFor('leg.ended', { legRef });
});

test('a stream that was joined by a process which died before it noted so goes on', async () => {
  const call = desk.call();
  const customer = await call.dial('customer', CUSTOMER_HZ);
  const stream = streamOf(customer.legRef, call.callRef);
  await call.order(stream);
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  const inbound = await gateway.socket(customer.legRef, 'inbound');
  await desk.deaf(async () => {
    const unnoted = `started_at = null, created_at = created_at - interval '1 minute'`;
    await sql(desk.db, `update sip_streams set ${unnoted} where stream_ref = $1`, [stream.streamRef]);
  });
  const noted = 'select 1 from sip_streams where stream_ref = $1 and started_at is not null';
  await until('both tracks are noted', async () => (await sql(desk.db, noted, [stream.streamRef])).length === 2);
  inbound.webSocket.send(tone(900, 1_000));
  await until('the customer hears the gateway', () => customer.phone.hasHeard(900));
  const heard = inbound.audio.length;
  await until('the customer is heard for another second', () => inbound.audio.length > heard + 50);
  assert.ok(
    !inbound.isClosed &&
      !desk.events.some((event) => event.type === 'stream.ended' && event.streamRef === stream.streamRef),
  );
  await call.order({ do: 'hang_up', legRef: customer.legRef, reason: 'ended' });
  await call.waitFor('stream.ended', { streamRef: stream.streamRef });
});

test('what needs the events of the engine is unavailable while no process hears it, and can be asked again', async () => {
  const { call, customer, agent } = await joinedCall();
  const recordingRef = newId('recording');
  const { legRef, phone } = customer;
  const stream = streamOf(legRef, call.callRef);
  const told = speech([agent.legRef], '700 Hz for 1000 ms');
  const commands = [{ do: 'start_recording', recordingRef, legRefs: [legRef], beep: false } as const, stream, told];
  const name = (index: number) => `${call.callRef}:again${index}`;
  await desk.deaf(async () => {
    for (const [index, command] of commands.entries()) {
      assert.deepEqual(await call.dispatch(command, name(index)), { outcome: 'unavailable', cause: 'unreachable' });
    }
  });
  for (const [index, command] of commands.entries()) {
    assert.deepEqual(await call.dispatch(command, name(index)), { outcome: 'accepted' });
  }
  await until('the agent hears the speech', () => agent.phone.hasHeard(700));
  await call.waitFor('stream.started', { streamRef: stream.streamRef });
  (await gateway.socket(legRef, 'inbound')).webSocket.send(tone(900, 1_000));
  await until('the customer hears the gateway', () => phone.hasHeard(900));
  await call.waitFor('speech.ended', { speechRef: told.speechRef });
  await call.order({ do: 'hang_up', legRef, reason: 'ended' });
  const { durationMs } = await call.waitFor('recording.ended', { recordingRef });
  assert.ok(durationMs > 800, String(durationMs));
});

test('nothing is left at the engine when the calls are over', async () => {
  const legs = (await engine.listIds('channels')).filter((id) => id.startsWith('leg_'));
  // A leg that was hung up just before may already have ended.
  for (const id of legs) await engine.client.ask({ method: 'DELETE', path: `/channels/${id}` });
  await until('no channel is left', async () => (await engine.listIds('channels')).length === 0);
  await until('no bridge is left', async () => (await engine.listIds('bridges')).length === 0);
});
