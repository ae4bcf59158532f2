/**
 * Hold. A held leg leaves its bridge and plays hold audio itself, in rounds. At the end of a round the next one begins.
 */
import { durationMsOf } from '../../../audio/pcm.ts';
import type { LegName } from '../../call-control/leg-queries.ts';
import { ACCEPTED, type Instruction, type VoiceOutcome } from '../../call-control/verbs.ts';
import type { EngineClient } from '../ari-client.ts';
import { enterBridge } from '../bridges.ts';
import { holdLeg, listLegs, listLegsOfCall } from '../leg-queries.ts';
import { engineOf, isLive, type LiveLeg, type SipLine, voiceOutcome, type Work } from '../sip-line.ts';
import { makeBridge } from './helpers.ts';
import { hasHoldAudio, insertPlayback, type Playback } from './playback-queries.ts';
import { choosePlayers, endOwnSounds } from './playbacks.ts';
import { makeSound, mediaUri, secretName, soundName } from './sounds.ts';

/** Holds a leg. No other leg hears it until `resume` or a bridge. */
export async function hold(work: Work, leg: LiveLeg, { audioRef }: Instruction<'hold'>): Promise<VoiceOutcome> {
  const { line, ledger, callRef, commandRef } = work;
  const { legRef, bridgeId, channelId } = leg;
  const name: LegName = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, legRef };
  if (leg.isHeld && (await hasHoldAudio(line.db, name))) return ACCEPTED;
  // Stored first, because a held leg gets no silence when it leaves its bridge.
  await holdLeg(line.db, name, true);
  const id = secretName(line, `${ledger.ledgerId} ${commandRef} hold`);
  const round = { id, ledgerId: ledger.ledgerId, callRef, legRef, engine: leg.engine };
  const quiet = bridgeId === null ? ACCEPTED : await endLoneSounds(work, leg);
  if (quiet.outcome !== 'accepted') return quiet;
  const played = await leaveAndPlay(work, { bridgeId, channelId }, await roundOf(line, { ...round, audioRef }));
  if (played.outcome !== 'accepted') await holdLeg(line.db, name, false);
  return played;
}

/** Ends the sounds of a leg that is alone in its bridge. While it plays a sound, the leg cannot leave the bridge. */
async function endLoneSounds(work: Work, leg: LiveLeg): Promise<VoiceOutcome> {
  const { line, ledger, callRef } = work;
  const ofCall = await listLegsOfCall(line.db, { ledgerId: ledger.ledgerId, connectionId: line.connectionId }, callRef);
  const isAlone = choosePlayers([leg], ofCall).some(({ by }) => by === 'channel');
  return isAlone ? await endOwnSounds(work, [leg.legRef], ['speech', 'beep']) : ACCEPTED;
}

async function leaveAndPlay(
  { line }: Work,
  { bridgeId, channelId }: { readonly bridgeId: string | null; readonly channelId: string },
  round: Playback,
): Promise<VoiceOutcome> {
  const engine = engineOf(line, round);
  if (bridgeId !== null) {
    const path = `/bridges/${bridgeId}/removeChannel`;
    const left = voiceOutcome(await engine.ask({ method: 'POST', path, query: { channel: channelId }, mayWait: true }));
    // A leg without a bridge is already alone; so is a leg whose bridge is gone.
    if (left.outcome === 'unknown' || left.outcome === 'unavailable') return left;
  }
  return await playRound(line, engine, { channelId, round });
}

type RoundOf = Pick<Playback, 'id' | 'ledgerId' | 'callRef' | 'legRef' | 'engine' | 'audioRef'>;

async function roundOf(line: SipLine, played: RoundOf): Promise<Playback> {
  const source = { kind: 'hold', spoken: null, audioRef: played.audioRef } as const;
  const durationMs = durationMsOf(await makeSound(line, source));
  const sound = soundName(line, source);
  return { ...played, ...source, sound, speechRef: null, helperId: null, durationMs, isStopped: false };
}

async function playRound(
  line: SipLine,
  engine: EngineClient,
  { channelId, round }: { readonly channelId: string; readonly round: Playback },
): Promise<VoiceOutcome> {
  const inserted = await insertPlayback(line.db, line.connectionId, round);
  if (inserted === undefined || inserted.endedAt !== null) return ACCEPTED;
  if (!inserted.isNew && (await engine.ask({ method: 'GET', path: `/playbacks/${round.id}` })).is === 'answered') {
    return ACCEPTED;
  }
  const path = `/channels/${channelId}/play/${round.id}`;
  return voiceOutcome(await engine.ask({ method: 'POST', path, query: { media: mediaUri(line, round) } }));
}

/**
 * Begins the next round of hold audio. If the audio could not be played, the next round is the built-in pattern. If the
 * pattern could not be played either, there is no next round.
 */
export async function playNextRound(line: SipLine, ended: Playback, hasFailed: boolean): Promise<void> {
  const { id, ledgerId, callRef, legRef, engine, audioRef } = ended;
  if (ended.isStopped || (hasFailed && audioRef === null)) return;
  const [leg] = await listLegs(line.db, { ledgerId, connectionId: line.connectionId }, [legRef]);
  if (!isLive(leg) || !leg.isHeld) return;
  const name = { id: secretName(line, `${id} next`), ledgerId, callRef, legRef, engine };
  const round = await roundOf(line, { ...name, audioRef: hasFailed ? null : audioRef });
  await playRound(line, engineOf(line, leg), { channelId: leg.channelId, round });
  // If the hold ended after the leg was read, nothing has stopped this round yet.
  const [after] = await listLegs(line.db, { ledgerId, connectionId: line.connectionId }, [legRef]);
  if (after?.isHeld === false) await engineOf(line, leg).ask({ method: 'DELETE', path: `/playbacks/${round.id}` });
}

/**
 * Ends the hold of a leg. The leg hears its partner in the bridge again. If repeated, puts the leg into its bridge
 * again.
 */
export async function resume(work: Work, leg: LiveLeg): Promise<VoiceOutcome> {
  const { line, ledger } = work;
  const { legRef, bridgeId } = leg;
  // Stored first, so that no other round of hold audio begins.
  await holdLeg(line.db, { ledgerId: ledger.ledgerId, connectionId: line.connectionId, legRef }, false);
  const stopped = await endOwnSounds(work, [legRef], ['hold']);
  return stopped.outcome !== 'accepted' || bridgeId === null ? stopped : await enterAgain(work, leg, bridgeId);
}

/** Puts a leg into its bridge. First makes the bridge, which was removed if both legs were held. */
async function enterAgain(work: Work, leg: LiveLeg, bridgeId: string): Promise<VoiceOutcome> {
  const problem = await makeBridge(engineOf(work.line, leg), bridgeId, work.callRef);
  return problem === undefined ? await enterBridge(work, [leg], bridgeId) : voiceOutcome(problem);
}
