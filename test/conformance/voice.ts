import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeWav } from '../../src/audio/wav.ts';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import {
  isVoiceEvent,
  type Party,
  type VoiceEvent,
  type VoiceInstruction,
  type VoicePort,
} from '../../src/carriers/ports/voice.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';

export type HasCome = (events: readonly CarrierEvent[]) => boolean;

/** A voice port under test, and the people on its calls. `close` releases its resources. */
export type VoiceSubject = {
  readonly voice: VoicePort;
  readonly ledger: Ledger;
  /** Our number that calls are made from. */
  readonly number: string;
  /** Returns a number that is answered within two seconds; a different one each time. */
  person(): string;
  /** A number that rings and is never answered. */
  readonly absent: string;
  /** The address that a carrier with sockets connects to; undefined for a carrier without sockets. */
  readonly streamUrl?: string;
  /** A number that is answered, but whose calls give no audio; undefined if there is none. */
  readonly unstreamable?: string;
  /** Lets a call from this caller arrive at our number; resolves with its refs. */
  arrive(caller: string): Promise<{ callRef: string; legRef: string }>;
  /**
   * Lets time pass; resolves with all events handed over since the last call. Where time is real, it continues until
   * `hasCome` is true.
   */
  settle(seconds: number, hasCome?: HasCome): Promise<readonly CarrierEvent[]>;
  close(): Promise<void>;
};

/** The number of expected events of each type. */
type Expected = Partial<Record<VoiceEvent['type'], number>>;

/** One call: dispatches its commands under names in order, and collects its events. */
export function createCall(subject: VoiceSubject, callRef = newId('call')) {
  let count = 0;
  let legs = 0;
  const dispatch = (instruction: VoiceInstruction, commandRef = `${callRef}:${++count}`) =>
    subject.voice.dispatch(subject.ledger, { callRef, commandRef, instruction });
  const must = async (instruction: VoiceInstruction) => {
    const answer = await dispatch(instruction);
    assert.equal(answer.outcome, 'accepted', `${instruction.do} was answered with ${JSON.stringify(answer)}`);
  };
  /** Lets time pass until these events have come. Resolves with all events of the call. */
  const settle = async (seconds: number, expected: Expected = {}): Promise<VoiceEvent[]> => {
    const ofCall = (events: readonly CarrierEvent[]) =>
      events.filter(isVoiceEvent).filter((event) => event.callRef === callRef);
    const hasCome: HasCome = (events) =>
      Object.entries(expected).every(
        ([type, times]) => ofCall(events).filter((event) => event.type === type).length >= times,
      );
    return ofCall(await subject.settle(seconds, hasCome));
  };
  const dial = async (party: Party, to: string): Promise<string> => {
    const legRef = `leg_${callRef.slice(5)}_${++legs}`;
    await must({ do: 'dial', legRef, party, to, from: subject.number, shownAs: subject.number, ringMs: 30_000 });
    return legRef;
  };
  /** Connects two people. */
  const connect = async () => {
    const agent = await dial('agent', subject.person());
    await settle(2, ANSWERED);
    const customer = await dial('customer', subject.person());
    await settle(2, ANSWERED);
    await must({ do: 'bridge', legRefs: [agent, customer] });
    const events = await settle(0.2, { 'legs.bridged': 1 });
    return { agent, customer, events };
  };
  return { callRef, dispatch, must, settle, dial, connect };
}

const ANSWERED: Expected = { 'leg.answered': 1 };
const ENDED: Expected = { 'leg.ended': 1 };

const typesOf = (events: readonly VoiceEvent[]) => events.map((event) => event.type);

export function describeVoiceConformance(name: string, makeSubject: () => Promise<VoiceSubject>): void {
  describe(`${name}: voice`, () => {
    let subject: VoiceSubject;
    before(async () => {
      subject = await makeSubject();
    });
    after(() => subject.close());

    test('a dialled party rings, then answers', async () => {
      const call = createCall(subject);
      const legRef = await call.dial('agent', subject.person());
      const events = await call.settle(3, ANSWERED);
      assert.deepEqual([...new Set(typesOf(events))], ['leg.ringing', 'leg.answered']);
      for (const event of events) assert.equal((event as { legRef: string }).legRef, legRef);
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
    });

    test('the legs of a call can be looked up, until the carrier has forgotten the call', async () => {
      const call = createCall(subject);
      const find = () => subject.voice.findLegs(subject.ledger, call.callRef);
      assert.deepEqual(await find(), { found: 'absent' });
      const legRef = await call.dial('agent', subject.person());
      await call.settle(3, ANSWERED);
      assert.deepEqual(await find(), { found: 'accepted', legs: [{ legRef, state: 'up' }] });
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      await call.settle(1, ENDED);
      const gone = await find();
      const isOver = gone.found === 'absent' || (gone.found === 'accepted' && gone.legs[0]?.state === 'ended');
      assert.ok(isOver, JSON.stringify(gone));
    });

    test('a command repeated under its name has no further effect', async () => {
      const call = createCall(subject);
      const to = subject.person();
      const legRef = newId('call_leg');
      const dialled: VoiceInstruction = {
        do: 'dial',
        legRef,
        party: 'agent',
        to,
        from: subject.number,
        shownAs: subject.number,
        ringMs: 30_000,
      };
      await call.dispatch(dialled, 'once');
      await Promise.all([call.dispatch(dialled, 'once'), call.dispatch(dialled, 'once')]);
      const events = await call.settle(3, ANSWERED);
      assert.equal(events.filter((event) => event.type === 'leg.answered').length, 1);
      const asked = { callRef: call.callRef, instruction: dialled };
      assert.deepEqual(await subject.voice.findCommand(subject.ledger, { ...asked, commandRef: 'once' }), {
        found: 'accepted',
      });
      assert.deepEqual(await subject.voice.findCommand(subject.ledger, { ...asked, commandRef: 'never' }), {
        found: 'absent',
      });
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
    });

    test('commands to different legs of a call may come together', async () => {
      const call = createCall(subject);
      const legs = await Promise.all(Array.from({ length: 4 }, () => call.dial('agent', subject.person())));
      const answered = (await call.settle(3, { 'leg.answered': 4 })).filter((event) => event.type === 'leg.answered');
      assert.deepEqual(new Set(answered.map(({ legRef }) => legRef)), new Set(legs));
      await Promise.all(legs.map((legRef) => call.must({ do: 'hang_up', legRef, reason: 'ended' })));
      const ended = await call.settle(1, { 'leg.ended': 4 });
      assert.equal(ended.filter((event) => event.type === 'leg.ended').length, 4);
    });

    test('a leg that is hung up while it rings ends, and is never answered', async () => {
      const call = createCall(subject);
      const legRef = await call.dial('agent', subject.absent);
      await call.settle(1, { 'leg.ringing': 1 });
      await call.must({ do: 'hang_up', legRef, reason: 'no_answer' });
      const events = await call.settle(4, ENDED);
      assert.deepEqual(typesOf(events), ['leg.ended']);
    });

    test('hanging up a leg that has ended, or never existed, is accepted', async () => {
      const call = createCall(subject);
      const legRef = await call.dial('agent', subject.absent);
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      await createCall(subject).must({ do: 'hang_up', legRef: newId('call_leg'), reason: 'ended' });
    });

    test('a leg that was hung up before its dial is not dialled, and no leg is dialled twice', async () => {
      const late = createCall(subject);
      const legRef = newId('call_leg');
      const [to, from] = [subject.person(), subject.number];
      const dial = { do: 'dial', legRef, party: 'agent', to, from, shownAs: from, ringMs: 30_000 } as const;
      await late.must({ do: 'hang_up', legRef, reason: 'ended' });
      assert.deepEqual(await late.dispatch(dial), { outcome: 'rejected', reason: 'leg_gone' });
      assert.deepEqual(await late.settle(3), []);
      const call = createCall(subject);
      await call.dial('customer', subject.absent);
      const second = { ...dial, legRef: newId('call_leg') };
      await call.must({ do: 'hang_up', legRef: second.legRef, reason: 'ended' });
      assert.deepEqual(
        await call.dispatch(second),
        { outcome: 'rejected', reason: 'leg_gone' },
        'nor on a call that is known',
      );
      const third = { ...dial, legRef: newId('call_leg') };
      await call.must(third);
      await call.settle(2, { 'leg.ringing': 2, ...ANSWERED });
      await call.must(third);
      assert.deepEqual(await call.settle(3), []);
      await call.must({ do: 'hang_up', legRef: third.legRef, reason: 'ended' });
      assert.deepEqual(await call.dispatch(third), { outcome: 'rejected', reason: 'leg_gone' });
    });

    test('a call that arrived is answered, and ends when its caller hangs up', async () => {
      const { callRef, legRef } = await subject.arrive(subject.person());
      const call = createCall(subject, callRef);
      await call.must({ do: 'answer', legRef });
      const events = await call.settle(60, { ...ANSWERED, ...ENDED });
      assert.ok(events.some((event) => event.type === 'leg.answered' && event.legRef === legRef));
      const ended = events.find((event) => event.type === 'leg.ended');
      assert.deepEqual([ended?.legRef, ended?.cause], [legRef, 'hangup']);
    });

    test('two answered legs are bridged; a leg that is not up is not', async () => {
      const call = createCall(subject);
      const { agent, customer, events } = await call.connect();
      const bridged = events.find((event) => event.type === 'legs.bridged');
      assert.deepEqual(new Set(bridged?.legRefs), new Set([agent, customer]));
      const ringing = await call.dial('agent', subject.absent);
      const refused = await call.dispatch({ do: 'bridge', legRefs: [ringing, customer] });
      assert.deepEqual(refused, { outcome: 'rejected', reason: 'leg_gone' });
      for (const legRef of [ringing, agent, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      const ended = await call.settle(1, { 'leg.ended': 3 });
      assert.equal(ended.filter((event) => event.type === 'leg.ended').length, 3);
    });

    test('the end of a speech is reported, as completed or as cut off', async () => {
      const call = createCall(subject);
      const { agent, customer } = await call.connect();
      const speak = { do: 'speak', legRefs: [agent, customer], text: 'One moment.', purpose: 'announcement' } as const;
      await call.must({ ...speak, speechRef: 'first' });
      assert.deepEqual(speechesOf(await call.settle(4, { 'speech.ended': 1 })), [['first', true]]);
      const long = 'Please stay on the line while we connect you to somebody who can help you with this today.';
      const gather = { do: 'speak', legRefs: [customer], text: long, purpose: 'gather', listenMs: 5_000 } as const;
      await call.must({ ...gather, speechRef: 'second' });
      await call.must({ do: 'stop_speech', speechRef: 'second' });
      await call.must({ do: 'stop_gather', speechRef: 'second' });
      assert.deepEqual(speechesOf(await call.settle(0.5, { 'speech.ended': 1 })), [['second', false]]);
      await call.must({ do: 'hang_up', legRef: agent, reason: 'ended' });
    });

    test('a customer that is asked presses a digit, with a name of its own', async () => {
      const call = createCall(subject);
      const { agent, customer } = await call.connect();
      const prompt = { do: 'speak', legRefs: [customer], text: 'Press a key.', purpose: 'gather' } as const;
      await call.must({ ...prompt, speechRef: 'ask', listenMs: 5_000 });
      const keys = (await call.settle(8, { 'leg.digit': 1 })).filter((event) => event.type === 'leg.digit');
      assert.equal(keys.length, 1);
      assert.match(keys[0]?.digit ?? '', /^[0-9*#]$/);
      assert.ok((keys[0]?.keyRef ?? '') !== '');
      for (const legRef of [agent, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
    });

    test('a recording ends with its legs, and its audio has the reported length', async () => {
      const call = createCall(subject);
      const { agent, customer } = await call.connect();
      const recordingRef = newId('recording');
      const find = (ref: string) =>
        subject.voice.findRecording(subject.ledger, { callRef: call.callRef, recordingRef: ref });
      await call.must({ do: 'start_recording', recordingRef, legRefs: [agent, customer], beep: false });
      assert.deepEqual(await find(recordingRef), { found: 'undecided' });
      await call.must({ do: 'send_digits', legRef: customer, digits: '5' });
      await call.settle(4);
      for (const legRef of [agent, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      await call.must({ do: 'stop_recording', recordingRef });
      const events = await call.settle(1, { 'recording.ended': 1 });
      const ended = events.filter((event) => event.type === 'recording.ended');
      assert.equal(ended.length, 1);
      assert.deepEqual(await find(recordingRef), { found: 'accepted', durationMs: ended[0]?.durationMs });
      assert.deepEqual(await find(newId('recording')), { found: 'absent' });
      const wav = await subject.voice.fetchRecording(subject.ledger, recordingRef);
      if (wav === undefined) assert.fail('no audio');
      const { sampleRateHz, pcm } = decodeWav(wav);
      assert.equal(sampleRateHz, 8_000);
      assert.ok(Math.abs(pcm.length / 8 - (ended[0]?.durationMs ?? 0)) <= 20);
      assert.ok(
        pcm.some((sample) => Math.abs(sample) > 1_000),
        'the recording is silent',
      );
      assert.equal(await subject.voice.fetchRecording(subject.ledger, newId('recording')), undefined);
    });

    test('a caller leaves a message after the tone', async () => {
      const { callRef, legRef } = await subject.arrive(subject.person());
      const call = createCall(subject, callRef);
      const recordingRef = newId('recording');
      await call.must({ do: 'answer', legRef });
      await call.must({ do: 'start_recording', recordingRef, legRefs: [legRef], beep: true });
      const events = await call.settle(60, { ...ANSWERED, ...ENDED, 'recording.ended': 1 });
      assert.deepEqual(new Set(typesOf(events)), new Set(['leg.answered', 'leg.ended', 'recording.ended']));
      assert.ok((await subject.voice.fetchRecording(subject.ledger, recordingRef)) !== undefined);
    });

    test('utterances on a transcribed leg are reported, with their text or with audio to be fetched', async () => {
      const call = createCall(subject);
      const { agent, customer } = await call.connect();
      const instruction = { do: 'start_transcription', legRefs: [agent, customer] } as const;
      // If a carrier reports no utterances, the gateway cuts them from the audio.
      if (subject.voice.fetchUtterance === undefined) {
        assert.deepEqual(await call.dispatch(instruction), { outcome: 'rejected', reason: 'not_supported' });
        return await call.must({ do: 'hang_up', legRef: customer, reason: 'ended' });
      }
      await call.must(instruction);
      const said = (await call.settle(60)).filter((event) => event.type === 'leg.utterance');
      assert.ok(said.length > 0, 'there is no utterance');
      assert.equal(new Set(said.map(({ utteranceRef }) => utteranceRef)).size, said.length);
      for (const { legRef, utteranceRef, startedAt, endedAt, text } of said) {
        assert.ok([agent, customer].includes(legRef));
        assert.ok(startedAt < endedAt);
        if (text !== null) continue;
        const wav = await subject.voice.fetchUtterance?.(subject.ledger, { callRef: call.callRef, utteranceRef });
        assert.ok(wav !== undefined && decodeWav(wav).pcm.length > 0);
      }
      assert.ok(said.some(({ legRef }) => legRef === customer));
    });

    test('the start and the end of a stream are reported', async () => {
      const call = createCall(subject);
      const { agent, customer } = await call.connect();
      const streamRef = newId('media_stream');
      await call.must({ ...STREAM, url: subject.streamUrl ?? STREAM.url, streamRef, legRef: customer });
      assert.deepEqual(streamsOf(await call.settle(2, { 'stream.started': 1 })), [['stream.started', streamRef]]);
      await call.must({ do: 'stop_stream', streamRef });
      await call.must({ do: 'stop_stream', streamRef });
      assert.deepEqual(streamsOf(await call.settle(1, { 'stream.ended': 1 })), [['stream.ended', streamRef]]);
      for (const legRef of [agent, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
    });

    test('stopping a stream that never existed is accepted', async () => {
      await createCall(subject).must({ do: 'stop_stream', streamRef: newId('media_stream') });
    });

    test('a stream without audio is refused, or reported as failed', async () => {
      const { unstreamable } = subject;
      if (unstreamable === undefined) return;
      const call = createCall(subject);
      const customer = await call.dial('customer', unstreamable);
      await call.settle(2, ANSWERED);
      const streamRef = newId('media_stream');
      const { outcome } = await call.dispatch({ ...STREAM, streamRef, legRef: customer });
      const reported = outcome === 'rejected' ? [] : [['stream.failed', streamRef]];
      assert.deepEqual(streamsOf(await call.settle(2)), reported);
      await call.must({ do: 'hang_up', legRef: customer, reason: 'ended' });
    });

    test('commands to a leg that has ended are refused', async () => {
      const call = createCall(subject);
      const legRef = await call.dial('customer', subject.person());
      await call.settle(2, ANSWERED);
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      const gone: VoiceInstruction[] = [
        { do: 'answer', legRef },
        { do: 'send_digits', legRef, digits: '1' },
        { do: 'hold', legRef, audioRef: null },
        { do: 'speak', legRefs: [legRef], speechRef: 'late', text: 'Hello', purpose: 'greeting' },
        { do: 'start_recording', recordingRef: newId('recording'), legRefs: [legRef], beep: false },
        { do: 'start_transcription', legRefs: [legRef] },
        { ...STREAM, streamRef: newId('media_stream'), legRef },
      ];
      for (const instruction of gone) {
        assert.deepEqual(await call.dispatch(instruction), { outcome: 'rejected', reason: 'leg_gone' }, instruction.do);
      }
      assert.deepEqual(typesOf(await call.settle(2, ENDED)), ['leg.ended']);
    });
  });
}

const STREAM = { do: 'start_stream', direction: 'fork', track: 'both', url: 'wss://media.example.com/x' } as const;

function streamsOf(events: readonly VoiceEvent[]): [string, string][] {
  return events.flatMap((event) => ('streamRef' in event ? [[event.type, event.streamRef]] : []));
}

function speechesOf(events: readonly VoiceEvent[]): [string, boolean][] {
  return events.flatMap((event) => (event.type === 'speech.ended' ? [[event.speechRef, event.completed]] : []));
}
