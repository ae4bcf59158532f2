import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MULAW_SILENCE } from '../../src/audio/mulaw.ts';
import type { VoiceEvent, VoiceInstruction } from '../../src/carriers/ports/voice.ts';
import { newId } from '../../src/lib/ids.ts';
import { openMediaClient, useMediaNodes } from '../support/media-node.ts';
import { useSubject } from './subject.ts';
import { createCall, type VoiceSubject } from './voice.ts';

const of = <Type extends VoiceEvent['type']>(events: readonly VoiceEvent[], type: Type) =>
  events.filter((event): event is Extract<VoiceEvent, { type: Type }> => event.type === type);

const HELD = { do: 'hold', audioRef: null } as const;

/** Checks a carrier on calls that are held, transferred, or answered by an application. */
export function describeFrontDeskConformance(name: string, makeSubject: () => Promise<VoiceSubject>): void {
  describe(`${name}: front desk`, () => {
    const subject = useSubject(makeSubject);
    const start = useMediaNodes();

    const answerCaller = async () => {
      const { callRef, legRef } = await subject().arrive(subject().person());
      const call = createCall(subject(), callRef);
      await call.must({ do: 'answer', legRef });
      await call.settle(0, { 'leg.answered': 1 });
      return { ...call, legRef };
    };

    test('a leg is held and resumed, each as often as asked; one that has ended is refused', async () => {
      const call = createCall(subject());
      const { agent, customer } = await call.connect();
      for (const _ of [1, 2]) await call.must({ ...HELD, legRef: customer });
      for (const _ of [1, 2]) await call.must({ do: 'resume', legRef: customer });
      assert.deepEqual(of(await call.settle(1), 'leg.ended'), []);
      for (const legRef of [agent, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      const gone = { outcome: 'rejected', reason: 'leg_gone' };
      assert.deepEqual(await call.dispatch({ ...HELD, legRef: customer }), gone);
    });

    test('a customer that is held joins another agent, and stays when the agent before is hung up', async () => {
      const call = createCall(subject());
      const { agent, customer } = await call.connect();
      await call.must({ ...HELD, legRef: customer });
      const next = await call.dial('agent', subject().person());
      await call.settle(2, { 'leg.answered': 1 });
      const announcement = { speechRef: 'who', legRefs: [next], text: 'A caller for you.' } as const;
      await call.must({ do: 'speak', purpose: 'announcement', ...announcement });
      assert.equal(of(await call.settle(4, { 'speech.ended': 1 }), 'speech.ended')[0]?.completed, true);
      await call.must({ do: 'bridge', legRefs: [next, customer] });
      const bridged = of(await call.settle(0.2, { 'legs.bridged': 1 }), 'legs.bridged');
      assert.deepEqual(new Set(bridged[0]?.legRefs), new Set([next, customer]));
      await call.must({ do: 'hang_up', legRef: agent, reason: 'ended' });
      assert.deepEqual(
        of(await call.settle(0.5, { 'leg.ended': 1 }), 'leg.ended').map(({ legRef }) => legRef),
        [agent],
      );
      for (const legRef of [next, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
    });

    test('two agents are joined while the customer is held, and the customer is joined with either of them after it', async () => {
      for (const stays of ['before', 'next'] as const) {
        const call = createCall(subject());
        const { agent, customer } = await call.connect();
        await call.must({ ...HELD, legRef: customer });
        const next = await call.dial('agent', subject().person());
        await call.settle(2, { 'leg.answered': 1 });
        await call.must({ do: 'bridge', legRefs: [agent, next] });
        const met = of(await call.settle(0.2, { 'legs.bridged': 1 }), 'legs.bridged');
        assert.deepEqual(new Set(met[0]?.legRefs), new Set([agent, next]));
        const [left, kept] = stays === 'before' ? [next, agent] : [agent, next];
        await call.must({ do: 'hang_up', legRef: left, reason: 'ended' });
        await call.must({ do: 'bridge', legRefs: [kept, customer] });
        const events = await call.settle(0.5, { 'legs.bridged': 1, 'leg.ended': 1 });
        assert.deepEqual(new Set(of(events, 'legs.bridged')[0]?.legRefs), new Set([kept, customer]));
        assert.deepEqual(
          of(events, 'leg.ended').map(({ legRef }) => legRef),
          [left],
        );
        for (const legRef of [kept, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      }
    });

    test('a caller who waits in a queue hears hold audio, its position, and hold audio again, and the first agent who answers has it', async () => {
      const { must, settle, dial, legRef } = await answerCaller();
      await must({ ...HELD, legRef });
      await must({ do: 'resume', legRef });
      const position = { speechRef: 'position', legRefs: [legRef], text: 'You are next in line.' } as const;
      await must({ do: 'speak', purpose: 'announcement', ...position });
      assert.equal(of(await settle(4), 'speech.ended')[0]?.completed, true);
      await must({ ...HELD, legRef });
      const slow = await dial('agent', subject().absent);
      const agent = await dial('agent', subject().person());
      assert.deepEqual(
        of(await settle(2), 'leg.answered').map((answered) => answered.legRef),
        [agent],
      );
      await must({ do: 'hang_up', legRef: slow, reason: 'answered_elsewhere' });
      await must({ do: 'bridge', legRefs: [agent, legRef] });
      const events = await settle(0.5);
      assert.deepEqual(new Set(of(events, 'legs.bridged')[0]?.legRefs), new Set([agent, legRef]));
      assert.deepEqual(
        of(events, 'leg.ended').map((ended) => ended.legRef),
        [slow],
      );
      for (const left of [agent, legRef]) await must({ do: 'hang_up', legRef: left, reason: 'ended' });
    });

    test('a speech is broken off once; one that is over is accepted', async () => {
      const { must, settle, legRef } = await answerCaller();
      const text = 'Please stay on the line while we connect you to somebody who can help you with this today.';
      await must({ do: 'speak', speechRef: 'long', legRefs: [legRef], text, purpose: 'announcement' });
      for (const _ of [1, 2]) await must({ do: 'stop_speech', speechRef: 'long' });
      const ended = of(await settle(20, { 'speech.ended': 1 }), 'speech.ended').map(({ speechRef, completed }) => [
        speechRef,
        completed,
      ]);
      assert.deepEqual(ended, [['long', false]]);
      await must({ do: 'stop_speech', speechRef: 'long' });
      await must({ do: 'hang_up', legRef, reason: 'ended' });
    });

    test('a call with the customer’s leg alone is spoken to, recorded and transcribed', async () => {
      const { must, settle, legRef } = await answerCaller();
      const recordingRef = newId('recording');
      const legRefs = [legRef];
      await must({ do: 'start_recording', recordingRef, legRefs, beep: false });
      const transcribes = subject().voice.fetchUtterance !== undefined;
      if (transcribes) await must({ do: 'start_transcription', legRefs });
      await must({ do: 'speak', speechRef: 'hi', legRefs, text: 'How can I help?', purpose: 'announcement' });
      const events = await settle(10, { 'speech.ended': 1 });
      assert.equal(of(events, 'speech.ended')[0]?.completed, true);
      assert.equal(
        of(events, 'leg.utterance').some((said) => said.legRef === legRef),
        transcribes,
      );
      await must({ do: 'hang_up', legRef, reason: 'ended' });
      assert.ok((of(await settle(1, { 'recording.ended': 1 }), 'recording.ended')[0]?.durationMs ?? 0) > 1_000);
    });

    test('a held customer hears hold audio until the end of the hold, also while a client plays to it', async () => {
      const { callRef, must, settle, legRef } = await answerCaller();
      const { voice, ledger } = subject();
      const { populate, dialect } = voice.audio ?? {};
      const node = await start(populate && { populate });
      const call = { ledgerId: ledger.ledgerId, callId: callRef };
      if (dialect !== undefined) node.grants.set(legRef, { call, dialect });
      const url = `${node.url}/v1/ingest?call=${callRef}&leg=${legRef}&track=both&token=carrier-${legRef}`;
      const stream = { streamRef: 'stm_2', legRef, direction: 'bidirectional', track: 'both' } as const;
      const command: VoiceInstruction = { do: 'start_stream', ...stream, ...(dialect && { url }) };
      await must(command);
      const client = openMediaClient(node.addStream('stm_2', { call }));
      await client.until(() => client.audioOf('inbound').some((code) => code !== MULAW_SILENCE));
      await must({ ...HELD, legRef });
      await settle(0);
      const outbound = () => client.audioOf('outbound');
      await client.until(() => outbound().some((code) => code !== MULAW_SILENCE));
      await must({ do: 'resume', legRef });
      await settle(0);
      const heard = outbound().length;
      // The pauses in the hold audio are shorter than this silence.
      const isOver = () => outbound().length > heard + 32_000 && outbound().slice(-32_000).every(isSilent);
      await client.until(isOver);
      client.socket.close();
      await must({ do: 'hang_up', legRef, reason: 'ended' });
    });
  });
}

const isSilent = (code: number) => code === MULAW_SILENCE;
