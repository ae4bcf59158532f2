/**
 * Silence for legs that hear no other leg. A whisper is mixed into the audio that is sent to a leg, so the gateway's
 * voice is lost while nothing is sent. The engine's silence generator sends something. It must not run while another
 * leg is connected: the engine then sends both in turns, and the party understands nothing.
 */
import { listAt } from '../../../lib/json-object.ts';
import type { EngineClient } from '../ari-client.ts';
import { findLegByChannel, type SipLeg } from '../leg-queries.ts';
import { inTurn } from '../reports.ts';
import type { SipLine } from '../sip-line.ts';
import { hasOwnSound } from './playback-queries.ts';
import { listPlayingTracks } from './stream-queries.ts';

/**
 * Starts or stops the silence of legs, by their channels, if the gateway speaks to them. Called after every change of
 * what they hear.
 */
export async function tuneLegs(line: SipLine, engine: EngineClient, channelIds: readonly string[]): Promise<void> {
  if (channelIds.length === 0) return;
  const tracks = await listPlayingTracks(line.db, line.connectionId, channelIds);
  for (const channelId of new Set(tracks.map(({ legChannelId }) => legChannelId))) {
    // The state that was read last counts.
    await inTurn(`silence ${engine.name} ${channelId}`, () => tune(line, engine, channelId));
  }
}

async function tune(line: SipLine, engine: EngineClient, channelId: string): Promise<void> {
  const leg = await findLegByChannel(line.db, line.connectionId, channelId);
  if (leg === undefined || leg.endedAt !== null) return;
  const method = (await hearsNobody(engine, leg)) ? 'POST' : 'DELETE';
  // The engine ends the silence before a sound, and delays a command until the sound ends.
  const { ledgerId, legRef, isHeld } = leg;
  const hears = isHeld || (await hasOwnSound(line.db, { ledgerId, connectionId: line.connectionId, legRef }));
  if (method === 'POST' && hears) return;
  await engine.ask({ method, path: `/channels/${channelId}/silence`, mayWait: true });
}

async function hearsNobody(engine: EngineClient, { bridgeId, channelId }: SipLeg): Promise<boolean> {
  if (bridgeId === null) return true;
  const bridge = await engine.ask({ method: 'GET', path: `/bridges/${bridgeId}` });
  const members = bridge.is === 'answered' ? listAt(bridge.body, 'channels') : [];
  return members.length < 2 || !members.includes(channelId);
}
