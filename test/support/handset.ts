/** Handsets of people on simulated calls. They are programs that listen, and speak in tones. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import { framesOf } from '../../src/audio/mulaw-frames.ts';
import { sine } from '../../src/audio/tones.ts';
import { every, monotonicMs } from '../../src/lib/time/time.ts';
import type { Harness } from './harness.ts';
import { openMediaClient } from './media-node.ts';
import { powerAt, powerOf } from './tone-power.ts';

/** Requests the audio of a person that the test has taken over. */
export async function askForAudio(harness: Pick<Harness, 'call'>, callId: string, number: string) {
  const { status, body } = await harness.call('POST', `/v1/test/calls/${callId}/audio`, { body: { number } });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { url: string; token: string; expires_at: string };
}

/** Connects to an address and token of `askForAudio`, at any gateway. */
export function connectHandset({ url: origin }: Pick<Harness, 'url'>, { url, token }: { url: string; token: string }) {
  const client = openMediaClient(`${origin.replace('http', 'ws')}${new URL(url).pathname}?token=${token}`);
  const latest = () => decodeMulaw(client.audioOf('inbound').subarray(-4_000));
  return {
    ...client,
    /** True if the latest half second consists almost only of this tone. */
    hears: (frequencyHz: number): boolean => {
      const pcm = latest();
      return powerOf(pcm) > 10_000 && powerAt(pcm, frequencyHz) > 0.8 * powerOf(pcm);
    },
    /** True if the latest half second is loud. */
    hearsSound: (): boolean => powerOf(latest()) > 10_000,
    /** Speaks in a tone until the returned function is called. */
    hum: (frequencyHz: number): (() => void) => {
      const frames = framesOf(encodeMulaw(sine({ frequencyHz, samples: 8_000 })));
      const startedAt = monotonicMs();
      let said = 0;
      // Catches up after a late timer, because a gap would turn the tone into noise.
      const timer = every(20, () => {
        for (; said * 20 <= monotonicMs() - startedAt; said++) {
          const frame = frames[said % frames.length] as Uint8Array;
          client.send({ event: 'media', payload: Buffer.from(frame).toString('base64') });
        }
      });
      return () => timer.cancel();
    },
  };
}

/** Takes a person over, and connects the handset. */
export async function pickUpHandset(harness: Harness, callId: string, number: string) {
  const handset = connectHandset(harness, await askForAudio(harness, callId, number));
  await once(handset.socket, 'open');
  return handset;
}
