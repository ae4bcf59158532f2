import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MULAW_SILENCE } from '../../src/audio/mulaw.ts';
import type { VoiceInstruction } from '../../src/carriers/ports/voice.ts';
import { until } from '../support/jobs.ts';
import { openMediaClient, useMediaNodes } from '../support/media-node.ts';
import { useSubject } from './subject.ts';
import type { VoiceSubject } from './voice.ts';

type AudioSubject = Pick<VoiceSubject, 'voice' | 'ledger' | 'person' | 'arrive' | 'settle' | 'close'>;

/** The last half second of a track. */
const LATELY = 4_000;

/** How the audio of calls comes, on a gateway node. Time is real here: audio has no other. */
export function describeAudioConformance(name: string, makeSubject: () => Promise<AudioSubject>): void {
  describe(`${name}: audio`, () => {
    const start = useMediaNodes();
    const subject = useSubject(makeSubject);

    test('a leg is heard from its answer to its end, and what a client plays to it is taken', async () => {
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
      const node = await start(populate && { populate });
      const call = { ledgerId: ledger.ledgerId, callId: callRef };
      if (dialect !== undefined) node.grants.set(legRef, { call, dialect });
      const url = `${node.url}/v1/ingest?call=${callRef}&leg=${legRef}&track=both&token=carrier-${legRef}`;
      const command = {
        do: 'start_stream',
        streamRef: 'stm_1',
        legRef,
        direction: 'bidirectional',
        track: 'both',
      } as const;
      await must({ ...command, ...(dialect && { url }) });

      const client = openMediaClient(node.addStream('stm_1', { call }));
      const hasSound = (codes: Uint8Array) => codes.some((code) => code !== MULAW_SILENCE);
      await client.until(() => hasSound(client.audioOf('inbound')));
      client.send({ event: 'media', payload: Buffer.alloc(800, 0x20).toString('base64') });
      client.send({ event: 'mark', name: 'played' });
      await client.until((messages) => messages.some(({ event }) => event === 'mark'));

      await must({ do: 'hang_up', legRef, reason: 'ended' });
      await settle(1, (events) => events.some(({ type }) => type === 'leg.ended'));
      const heardUntil = client.audioOf('inbound').length;
      await client.until(() => {
        const codes = client.audioOf('inbound');
        return codes.length >= heardUntil + LATELY && !hasSound(codes.slice(-LATELY));
      });
      if (dialect !== undefined) await until('its socket ends', () => node.ingestEndings.get(callRef) === 'ended');
      client.socket.close();
    });
  });
}
