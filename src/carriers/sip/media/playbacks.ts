/**
 * Speeches. The player of a speech depends on what its leg hears:
 * - a leg that hears no other leg plays it itself. The engine plays one sound after the other;
 * - two legs that hear each other get it from their bridge, so that both hear it at the same time;
 * - a held leg, or only one of two legs that hear each other, gets it as a whisper. If a channel in a bridge plays a
 *   sound itself, it leaves the bridge until the sound ends.
 *
 * A whisper is mixed into the audio that is sent to the leg. It is lost while nothing is sent, for example if the other
 * party of a bridge sends no packets at all. Recordings do not contain whispers, so a recording gets a separate copy.
 */

import { durationMsOf } from '../../../audio/pcm.ts';
import { ModelError } from '../../../speech/port.ts';
import {
  ACCEPTED,
  endingOutcome,
  type Instruction,
  NOT_SUPPORTED,
  type VoiceOutcome,
} from '../../call-control/verbs.ts';
import { outcomeOfAll } from '../../ports/outcome.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { isMissing } from '../ari-client.ts';
import { listLegsOfCall, type SipLeg } from '../leg-queries.ts';
import { engineOf, isLive, type LiveLeg, type SipLine, voiceOutcome, type Work } from '../sip-line.ts';
import { helperName, makeSnoop, takesHelpers, UNHEARD } from './helpers.ts';
import {
  endPlayback,
  insertPlayback,
  listSpeechSounds,
  type Playback,
  type PlaybackKind,
  stopSoundsOfLegs,
  stopSpeechSounds,
} from './playback-queries.ts';
import { listRunningRecordings } from './recording-queries.ts';
import { makeSound, mediaUri, secretName, soundName } from './sounds.ts';

/** The player of a sound: a channel, a bridge, or a snoop that does not exist yet. */
type Player =
  | { readonly by: 'channel' | 'bridge'; readonly id: string; readonly leg: LiveLeg }
  | { readonly by: 'whisper'; readonly into: string; readonly way: 'in' | 'out'; readonly leg: LiveLeg };

/** Speaks a text into legs. If no voice can speak the text, nothing is played, and the outcome is `rejected`. */
export async function speak(
  work: Work,
  legs: readonly LiveLeg[],
  { speechRef, text, audioRef }: Instruction<'speak'>,
): Promise<VoiceOutcome> {
  const source = audioRef === undefined ? { spoken: text, audioRef: null } : { spoken: null, audioRef };
  const sound = { kind: 'speech' as const, ...source };
  try {
    // The audio is made before the engine fetches it, so that the engine does not wait for the file.
    const durationMs = durationMsOf(await makeSound(work.line, sound));
    return await playToLegs(work, legs, { ...sound, speechRef, durationMs });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { outcome: 'rejected', reason: 'speech_unavailable' };
  }
}

type Sound = Pick<Playback, 'kind' | 'spoken' | 'audioRef' | 'speechRef' | 'durationMs'>;

/** Plays a sound to legs, mixed with the audio that they hear. */
export async function playToLegs(work: Work, legs: readonly LiveLeg[], sound: Sound): Promise<VoiceOutcome> {
  const { line, ledger, callRef } = work;
  const ofCall = await listLegsOfCall(line.db, { ledgerId: ledger.ledgerId, connectionId: line.connectionId }, callRef);
  const players = choosePlayers(legs, ofCall);
  const playbacks = players.map((player, index) => playbackOf(work, player, { sound, index }));
  const missing: Missing[] = [];
  for (const playback of playbacks) missing.push(await findMissing(work, playback));
  const outcomes = playbacks.map(async (playback, index) => {
    if (missing[index] !== 'playback') return missing[index] === 'room' ? NOT_SUPPORTED : ACCEPTED;
    const outcome = await start(work, players[index] as Player, playback);
    const { id } = playback;
    // The outcome tells the domain that the sound has ended.
    if (outcome.outcome === 'rejected') await endPlayback(line.db, line.connectionId, { id, isCompleted: false });
    return outcome;
  });
  const outcome = outcomeOfAll(await Promise.all(outcomes));
  if (outcome.outcome === 'accepted' && sound.kind === 'speech') await copyToRecordings(work, players, sound);
  return outcome;
}

/** Chooses the player of a sound for each leg. */
export function choosePlayers(legs: readonly LiveLeg[], ofCall: readonly SipLeg[]): readonly Player[] {
  const partnerOf = (leg: LiveLeg) => {
    const isPartner = (other: SipLeg) => other.legRef !== leg.legRef && other.bridgeId === leg.bridgeId;
    return leg.bridgeId === null || leg.isHeld
      ? undefined
      : ofCall.find((other) => isPartner(other) && isLive(other) && !other.isHeld);
  };
  return legs.flatMap((leg, index): Player[] => {
    const { channelId, bridgeId, isHeld } = leg;
    if (isHeld) return [{ by: 'whisper', into: channelId, way: 'out', leg }];
    const partner = partnerOf(leg);
    if (partner === undefined || bridgeId === null) return [{ by: 'channel', id: channelId, leg }];
    const partnerAt = legs.findIndex(({ legRef }) => legRef === partner.legRef);
    if (partnerAt === -1) return [{ by: 'whisper', into: channelId, way: 'out', leg }];
    return partnerAt > index ? [{ by: 'bridge', id: bridgeId, leg }] : [];
  });
}

type Numbered = { readonly sound: Sound; readonly index: number | string };

function playbackOf({ line, ledger, callRef, commandRef }: Work, player: Player, { sound, index }: Numbered): Playback {
  const { legRef, engine } = player.leg;
  const id = secretName(line, `${ledger.ledgerId} ${commandRef} ${index}`);
  const helperId = player.by === 'whisper' ? helperName(legRef, `p-${id}`) : null;
  const name = soundName(line, sound);
  return { ...sound, id, sound: name, ledgerId: ledger.ledgerId, callRef, legRef, engine, helperId, isStopped: false };
}

/** What a sound still needs: a playback; fewer sounds on its leg; or nothing, because it was played before. */
type Missing = 'playback' | 'room' | 'nothing';

/** Stores a sound, and returns what it still needs. */
async function findMissing({ line }: Work, playback: Playback): Promise<Missing> {
  const inserted = await insertPlayback(line.db, line.connectionId, playback);
  if (inserted === undefined) return 'room';
  if (inserted.isNew) return 'playback';
  if (inserted.endedAt !== null) return 'nothing';
  // A second request with the same name would play the sound again. So the engine is first asked whether it has the
  // sound.
  const { id, helperId } = playback;
  const path = helperId === null ? `/playbacks/${id}` : `/channels/${helperId}`;
  return isMissing(await engineOf(line, playback).ask({ method: 'GET', path })) ? 'playback' : 'nothing';
}

/** Makes the engine play a sound. A whisper begins when its snoop starts to take commands. */
async function start({ line }: Work, player: Player, playback: Playback): Promise<VoiceOutcome> {
  const engine = engineOf(line, playback);
  if (player.by !== 'whisper') {
    const path = `/${player.by}s/${player.id}/play/${playback.id}`;
    const query = { media: mediaUri(line, playback) };
    return voiceOutcome(await engine.ask({ method: 'POST', path, query }));
  }
  if (!(await takesHelpers(line, engine))) return UNHEARD;
  const { into, way: whisper } = player;
  const task = { do: 'play', playbackId: playback.id } as const;
  return voiceOutcome(await makeSnoop(engine, { of: into, id: playback.helperId ?? '', whisper, task }));
}

/** Also plays a whispered speech into the recordings of its leg. */
async function copyToRecordings(work: Work, players: readonly Player[], sound: Sound): Promise<void> {
  const { line, ledger } = work;
  for (const player of players) {
    if (player.by !== 'whisper') continue;
    const { leg } = player;
    const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, legRef: leg.legRef };
    for (const { recordingRef, helperId } of await listRunningRecordings(line.db, name)) {
      const copier: Player = { by: 'whisper', into: helperId, way: 'in', leg };
      const copied = { ...sound, kind: 'copy' as const, speechRef: null };
      const playback = playbackOf(work, copier, { sound: copied, index: `${leg.legRef} ${recordingRef}` });
      if ((await findMissing(work, playback)) === 'playback') await start(work, copier, playback);
    }
  }
}

/** Stops a speech on all its legs. If the speech is already over, the outcome is `accepted`. */
export async function stopSpeech(work: Work, speechRef: string): Promise<VoiceOutcome> {
  const { line, ledger, callRef } = work;
  const ofCall = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, callRef };
  return await stopSounds(line, await stopSpeechSounds(line.db, ofCall, speechRef));
}

/** Ends the sounds that legs play themselves. While a leg plays a sound, the engine delays joining or silencing it. */
export async function endOwnSounds(
  { line, ledger }: Work,
  legRefs: readonly string[],
  kinds: readonly PlaybackKind[],
): Promise<VoiceOutcome> {
  const ofLegs = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, legRefs };
  return await stopSounds(line, await stopSoundsOfLegs(line.db, ofLegs, kinds));
}

/** Stops sounds at the engine. The engine then reports their ends, as for any other sound. */
async function stopSounds(line: SipLine, playbacks: readonly Playback[]): Promise<VoiceOutcome> {
  const outcomes = playbacks.map(async (playback) => {
    const path = `/playbacks/${playback.id}`;
    const stopped = voiceOutcome(await engineOf(line, playback).ask({ method: 'DELETE', path }));
    return endingOutcome(stopped);
  });
  return outcomeOfAll(await Promise.all(outcomes));
}

/** Returns `speech.ended` if the ended sound was the last one of its speech; otherwise no event. */
export async function readSpeechEnd(
  { db, connectionId }: SipLine,
  { id, ledgerId, callRef, speechRef, isStopped }: Playback,
  isWhole: boolean,
): Promise<VoiceEvent[]> {
  if (speechRef === null) return [];
  const all = await listSpeechSounds(db, { ledgerId, connectionId, callRef }, speechRef);
  const others = all.filter((other) => other.id !== id);
  if (others.some(({ endedAt }) => endedAt === null)) return [];
  const completed = isWhole && !isStopped && others.every(({ isCompleted }) => isCompleted === true);
  return [{ type: 'speech.ended', callRef, speechRef, completed }];
}
