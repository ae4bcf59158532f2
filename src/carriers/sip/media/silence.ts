/**
 * Silence for legs without a partner. A whisper is mixed into the audio that is sent to a leg, so the gateway's voice
 * is lost while nothing is sent. The engine's silence generator sends silence. It must not run while another leg is
 * connected: the engine then sends both in turns, and the party understands nothing.
 */
import { listAt } from '../../../lib/json-object.ts';
import type { EngineClient } from '../ari-client.ts';
import { findLegByChannel, type SipLeg } from '../leg-queries.ts';
import { inTurn } from '../reports.ts';
import type { SipLine } from '../sip-line.ts';
import { hasOwnSound } from './playback-queries.ts';
import { listPlayingTracks } from './stream-queries.ts';

/** After this many requests without an answer, the leg waits for the next comparison with the engine. */
const TRIES_MAX = 3;

/**
 * Starts or stops the silence of legs that the gateway speaks to, by their channels. Called after every change of their
 * bridges and sounds, and when the engine is compared.
 */
export async function tuneLegs(line: SipLine, engine: EngineClient, channelIds: readonly string[]): Promise<void> {
  if (channelIds.length === 0) return;
  const tracks = await listPlayingTracks(line.db, line.connectionId, channelIds);
  for (const channelId of new Set(tracks.map(({ legChannelId }) => legChannelId))) {
    // Requests for one channel run one after the other, so that the latest state takes effect.
    await inTurn(`silence ${engine.name} ${channelId}`, async () => {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        if (await tune(line, engine, channelId)) return;
      }
      line.log.warn({ engine: engine.name, channelId }, 'the engine did not answer; the silence of a leg may be wrong');
    });
  }
}

/** @returns false if an engine that can be reached has not answered, so that the state of the silence is unknown */
async function tune(line: SipLine, engine: EngineClient, channelId: string): Promise<boolean> {
  const leg = await findLegByChannel(line.db, line.connectionId, channelId);
  if (leg === undefined || leg.endedAt !== null) return true;
  const isAlone = await isWithoutPartner(engine, leg);
  if (isAlone === undefined) return false;
  // The engine ends the silence before a sound, and delays a request until the sound ends.
  const { ledgerId, legRef, isHeld } = leg;
  const hasSound = isHeld || (await hasOwnSound(line.db, { ledgerId, connectionId: line.connectionId, legRef }));
  if (isAlone && hasSound) return true;
  const method = isAlone ? 'POST' : 'DELETE';
  const answer = await engine.ask({ method, path: `/channels/${channelId}/silence`, mayWait: true });
  return answer.is !== 'unknown';
}

/** Returns true if the leg has no partner; undefined if the engine does not answer the question. */
async function isWithoutPartner(engine: EngineClient, { bridgeId, channelId }: SipLeg): Promise<boolean | undefined> {
  if (bridgeId === null) return true;
  const bridge = await engine.ask({ method: 'GET', path: `/bridges/${bridgeId}` });
  if (bridge.is === 'unknown') return undefined;
  const members = bridge.is === 'answered' ? listAt(bridge.body, 'channels') : [];
  return members.length < 2 || !members.includes(channelId);
}
