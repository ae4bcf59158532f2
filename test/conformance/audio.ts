import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MULAW_SILENCE } from '../../src/audio/mulaw.ts';
import type { VoiceInstruction } from '../../src/carriers/ports/voice.ts';
import { RELAY_SETTINGS } from '../support/agent-calls.ts';
import { until } from '../support/jobs.ts';
import { FORK, type MediaNodeOptions, openMediaClient, useMediaNodes } from '../support/media-node.ts';
import { useStreamAgents } from '../support/stream-agent.ts';
import { useSubject } from './subject.ts';
import type { VoiceSubject } from './voice.ts';

type AudioSubject = Pick<VoiceSubject, 'voice' | 'ledger' | 'person' | 'arrive' | 'settle' | 'close'>;

/** The last half second of a track. */
const LATELY = 4_000;
const LIMIT_MS = 30_000;
const DIALLED = { ...FORK, direction: 'bidirectional', track: 'both', allowLoopback: true } as const;
const NO_SPEECH = {
  recognize: async () => null,
  findListener: async () => undefined,
  fetchFile: async () => ({ problem: 'No files.' }),
  sendDigits: async () => undefined,
};

const hasSound = (codes: Uint8Array) => codes.some((code) => code !== MULAW_SILENCE);

/** Returns a function that answers a caller, and asks for the audio of the leg on a separate node. */
function useCallAudio(makeSubject: () => Promise<AudioSubject>) {
  const start = useMediaNodes();
  const subject = useSubject(makeSubject);
  return async (options: MediaNodeOptions = {}) => {
    const { voice, ledger, arrive, person, settle } = subject();
    const { callRef, legRef } = await arrive(person());
    let count = 0;
    const must = async (instruction: VoiceInstruction) => {
      const answer = await voice.dispatch(ledger, { callRef, commandRef: `${callRef}:${++count}`, instruction });
      assert.equal(answer.outcome, 'accepted', instruction.do);
    };
    await must({ do: 'answer', legRef });
    await settle(0, (events) => events.some(({ type }) => type === 'leg.answered'));

    const { populate, dialect } = voice.audio ?? {};
    const node = await start({ ...options, ...(populate && { populate }) });
    const call = { ledgerId: ledger.ledgerId, callId: callRef };
    if (dialect !== undefined) node.grants.set(legRef, { call, dialect });
    const url = `${node.url}/v1/ingest?call=${callRef}&leg=${legRef}&track=both&token=carrier-${legRef}`;
    // A carrier never gets the same name twice.
    const streamRef = `stm_${callRef}`;
    const stream = { streamRef, legRef, direction: 'bidirectional', track: 'both' } as const;
    await must({ do: 'start_stream', ...stream, ...(dialect && { url }) });
    const hangUp = async () => {
      await must({ do: 'hang_up', legRef, reason: 'ended' });
      await settle(1, (events) => events.some(({ type }) => type === 'leg.ended'));
    };
    const ended = async () => {
      if (dialect === undefined) return;
      await until('its socket ends', () => node.ingestEndings.get(callRef) === 'ended');
    };
    return { node, call, hangUp, ended };
  };
}

/** Checks the audio of calls on a gateway node, in real time, because the test clock does not move audio. */
export function describeAudioConformance(name: string, makeSubject: () => Promise<AudioSubject>): void {
  describe(`${name}: audio`, () => {
    const openAudio = useCallAudio(makeSubject);

    test('a leg is heard from its answer to its end, and what a client plays to it is taken', async () => {
      const { node, call, hangUp, ended } = await openAudio();
      const client = openMediaClient(node.addStream('stm_1', { call }));
      await client.until(() => hasSound(client.audioOf('inbound')));
      client.send({ event: 'media', payload: Buffer.alloc(800, 0x20).toString('base64') });
      client.send({ event: 'mark', name: 'played' });
      await client.until((messages) => messages.some(({ event }) => event === 'mark'));

      await hangUp();
      const heardUntil = client.audioOf('inbound').length;
      await client.until(() => {
        const codes = client.audioOf('inbound');
        return codes.length >= heardUntil + LATELY && !hasSound(codes.slice(-LATELY));
      });
      await ended();
      client.socket.close();
    });
  });
}

/** Checks the audio of calls for relays, and for streams that dial out. */
export function describeAgentConformance(name: string, makeSubject: () => Promise<AudioSubject>): void {
  describe(`${name}: agents`, () => {
    const startAgent = useStreamAgents();
    const openAudio = useCallAudio(makeSubject);

    test('a stream that the gateway opens to a server has the audio of the leg, and plays to it', async () => {
      const { node, call, hangUp, ended } = await openAudio();
      const agent = await startAgent();
      node.dials.set('stm_1', { ...DIALLED, streamId: 'stm_1', call, url: agent.url, dialect: 'twilio' });
      await node.gateway.dial('stm_1');
      const soundOf = (track: string) =>
        agent.messages.some(({ event, media }) => {
          const { track: of, payload } = (media ?? {}) as { track?: string; payload?: string };
          return event === 'media' && of === track && hasSound(Buffer.from(payload ?? '', 'base64'));
        });
      await until('the leg is heard', () => soundOf('inbound'), LIMIT_MS);
      agent.send({ event: 'media', media: { payload: Buffer.alloc(1_600, 0x20).toString('base64') } });
      agent.send({ event: 'mark', mark: { name: 'played' } });
      await until('it is played', () => agent.messages.some(({ event }) => event === 'mark'), LIMIT_MS);
      assert.ok(soundOf('outbound'));
      await hangUp();
      await ended();
    });

    test('an agent of text is heard on the leg, and hands over once its words were heard', async () => {
      const spoken: string[] = [];
      const speak = async (_call: unknown, text: string) => {
        spoken.push(text);
        return new Uint8Array(4_000).fill(0x20);
      };
      const { node, call, hangUp, ended } = await openAudio({ agents: { ...NO_SPEECH, speak } });
      const client = openMediaClient(node.addStream('stm_1', { call, direction: 'fork' }));
      await client.until(() => hasSound(client.audioOf('inbound')));
      const agent = await startAgent();
      // The people of some carriers talk all the time.
      const relay = { ...RELAY_SETTINGS, interruptible: false };
      node.dials.set('rly_1', { ...DIALLED, streamId: 'rly_1', call, url: agent.url, dialect: 'relay', relay });
      await node.gateway.dial('rly_1');
      const messages = () => agent.messages as unknown as { type: string; callSid?: string }[];
      await until('the agent is set up', () => messages().some(({ type }) => type === 'setup'), LIMIT_MS);
      assert.equal(messages()[0]?.callSid, call.callId);
      assert.equal(hasSound(client.audioOf('outbound')), false);
      agent.send({ type: 'text', token: 'We are open from nine to five.', last: true });
      agent.send({ type: 'end', handoffData: 'a person' });
      await until('the relay has ended', () => node.endings.has('rly_1'), LIMIT_MS);
      assert.deepEqual(node.endings.get('rly_1')?.relay, { reason: 'agent_ended', handoffData: 'a person' });
      assert.deepEqual(spoken, ['We are open from nine to five.']);
      await client.until(() => client.audioOf('outbound').includes(0x20));
      client.socket.close();
      await hangUp();
      await ended();
    });
  });
}
