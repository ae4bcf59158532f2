/**
 * Audio for legs: spoken texts, and hold audio. Telnyx fetches each sound from an address of ours, and repeats the
 * address when it reports the end of the sound. So the report identifies the sound, even after later commands.
 */

import { decodeMulaw } from '../../../audio/mulaw.ts';
import { holdPattern } from '../../../audio/tones.ts';
import { encodeWav } from '../../../audio/wav.ts';
import { ACCEPTED, endingOutcome, type Instruction, type VoiceOutcome } from '../../call-control/verbs.ts';
import { outcomeOfAll } from '../../ports/outcome.ts';
import type { Answer } from '../client/client.ts';
import { listLegs } from './leg-queries.ts';
import { endPlayback, findPlayback, insertPlayback, listOpenPlaybacks, type Playback } from './playback-queries.ts';
import { act, isLive, type LiveLeg, type VoiceLine, voiceOutcome, type Work } from './voice-line.ts';

/** The part of a sound's address before its id. */
const SOUNDS = '/sounds/';
const FILE_TYPE = '.wav';

/** Returns the id of the sound in the address of a report or request; undefined if it is not one of ours. */
export function soundIdOf(address: string): string | undefined {
  const at = address.lastIndexOf(SOUNDS);
  return at === -1 || !address.endsWith(FILE_TYPE) ? undefined : address.slice(at + SOUNDS.length, -FILE_TYPE.length);
}

/** Returns a sound as a file; undefined for a sound that has ended or never existed. */
export async function readSound(line: VoiceLine, path: string): Promise<Uint8Array | undefined> {
  const id = soundIdOf(path);
  const playback = id === undefined ? undefined : await findPlayback(line.db, line.connectionId, id);
  if (playback === undefined) return undefined;
  if (playback.spoken !== null) return encodeWav(await line.synthesizer.synthesize(playback.spoken));
  const audio = playback.audioRef === null ? undefined : await line.readHoldAudio(playback.audioRef);
  return encodeWav(audio === undefined ? holdPattern() : decodeMulaw(audio));
}

/** Speaks a text. Two bridged legs hear one sound; other legs hear separate sounds, which begin together. */
export async function speak(
  work: Work,
  legs: readonly LiveLeg[],
  { speechRef, text, audioRef }: Instruction<'speak'>,
): Promise<VoiceOutcome> {
  const [first, second] = legs;
  const areJoined = second !== undefined && first?.joinedRef === second.legRef && !first.isHeld && !second.isHeld;
  const hearers = areJoined ? legs.slice(0, 1) : legs;
  const answers = hearers.map(async (leg, index) => {
    const { legRef, isHeld } = leg;
    const sound = audioRef === undefined ? { spoken: text, audioRef: null } : { spoken: null, audioRef };
    const playback = { id: `${work.id}-${index}`, legRef, speechRef, ...sound, isOverlay: isHeld };
    const outcome = voiceOutcome(await play(work, leg, { playback, targets: areJoined ? 'both' : 'self' }));
    if (outcome.outcome === 'rejected') await endPlayback(work.line.db, work.line.connectionId, playback.id);
    return outcome;
  });
  return outcomeOfAll(await Promise.all(answers));
}

type Sound = { readonly playback: Playback; readonly targets: 'self' | 'both'; readonly loop?: 'infinity' };

/**
 * Stores a sound, and makes Telnyx play it. Hold audio and the sound are mixed: otherwise the sound would wait until
 * the hold ends.
 */
export async function play(work: Work, leg: LiveLeg, { playback, targets, loop }: Sound): Promise<Answer> {
  const { line, ledger, callRef } = work;
  const { connectionId, reportUrl } = line;
  await insertPlayback(line.db, { ledgerId: ledger.ledgerId, connectionId, callRef }, playback);
  const body = {
    audio_url: `${reportUrl}${SOUNDS}${playback.id}${FILE_TYPE}`,
    audio_type: 'wav',
    target_legs: targets,
    ...(loop !== undefined && { loop }),
    ...(playback.isOverlay && { overlay: true }),
  };
  return await act(work, leg, { action: 'playback_start', name: playback.id, body });
}

/** Stops a speech on all its legs. */
export async function stopSpeech(work: Work, speechRef: string): Promise<VoiceOutcome> {
  const { line, ledger, callRef } = work;
  const ofCall = { ledgerId: ledger.ledgerId, connectionId: line.connectionId };
  const open = await listOpenPlaybacks(line.db, { ...ofCall, callRef }, speechRef);
  const refs = open.map(({ legRef }) => legRef);
  const legs = new Map((await listLegs(line.db, ofCall, refs)).map((leg) => [leg.legRef, leg]));
  const outcomes = open.map(async ({ legRef, isOverlay, id }) => {
    const leg = legs.get(legRef);
    if (!isLive(leg)) return ACCEPTED;
    const body = { stop: 'current', ...(isOverlay && { overlay: true }) };
    const stopped = await act(work, leg, { action: 'playback_stop', name: id, body });
    return endingOutcome(voiceOutcome(stopped));
  });
  return outcomeOfAll(await Promise.all(outcomes));
}
