/** Holding legs and bridging legs. A leg is never both held and bridged. */
import { textAt } from '../../../lib/json-object.ts';
import { ACCEPTED, type Instruction, type VoiceOutcome } from '../../call-control/verbs.ts';
import { holdLeg, listLegs, type TelnyxLeg } from './leg-queries.ts';
import { play } from './playback.ts';
import { act, actOnceReady, isGone, isLive, type LiveLeg, nameOf, voiceOutcome, type Work } from './voice-line.ts';

/**
 * Holds a leg. Telnyx separates two bridged legs only if one of them moves, so the held leg moves into a separate
 * conference. Telnyx does not end the other leg, because the bridge was made with that option.
 */
export async function hold(
  work: Work,
  leg: LiveLeg,
  { audioRef }: Pick<Instruction<'hold'>, 'audioRef'>,
): Promise<VoiceOutcome> {
  if (leg.isHeld) return ACCEPTED;
  const { line } = work;
  const name = nameOf(work, leg);
  const [partner] = leg.joinedRef === null ? [] : await listLegs(line.db, name, [leg.joinedRef]);
  let { conferenceId } = leg;
  if (conferenceId === null && isLive(partner)) {
    const body = { call_control_id: leg.callControlId, name: work.id, beep_enabled: 'never', command_id: work.id };
    const parted = await line.client.ask({ method: 'POST', path: '/conferences', body });
    if (parted.is !== 'answered') return voiceOutcome(parted);
    conferenceId = textAt(parted.body, 'data', 'id') ?? null;
    await holdLeg(line.db, name, { isHeld: false, conferenceId });
  }
  const { legRef } = leg;
  const music = { id: `${work.id}-hold`, legRef, speechRef: null, spoken: null, audioRef, isOverlay: false };
  const played = voiceOutcome(await play(work, leg, { playback: music, targets: 'self', loop: 'infinity' }));
  if (played.outcome === 'accepted') await holdLeg(line.db, name, { isHeld: true, conferenceId });
  return played;
}

/** Ends hold audio, and takes a leg out of its conference. After that the leg is not bridged. */
async function releaseHold(work: Work, leg: LiveLeg): Promise<VoiceOutcome> {
  if (!leg.isHeld && leg.conferenceId === null) return ACCEPTED;
  const { line } = work;
  const silenced = await act(work, leg, { action: 'playback_stop', name: 'silence', body: { stop: 'all' } });
  if (silenced.is !== 'answered' && silenced.is !== 'refused') return voiceOutcome(silenced);
  if (leg.conferenceId !== null) {
    const left = await line.client.ask({
      method: 'POST',
      path: '/conferences/{id}/actions/leave',
      params: { id: leg.conferenceId },
      body: { call_control_id: leg.callControlId, command_id: `${work.id}-leave` },
    });
    if (left.is !== 'answered' && !isGone(left)) return voiceOutcome(left);
  }
  await holdLeg(line.db, nameOf(work, leg), { isHeld: false, conferenceId: null });
  return ACCEPTED;
}

/** Ends the hold of a leg, and joins it with its partner again. */
export async function resume(work: Work, leg: LiveLeg, partner: TelnyxLeg | undefined): Promise<VoiceOutcome> {
  const wasParted = leg.conferenceId !== null;
  const released = await releaseHold(work, leg);
  if (released.outcome !== 'accepted' || !wasParted || !isLive(partner)) return released;
  return await join(work, leg, partner);
}

/** Bridges two legs. A held leg is released from its hold first. */
export async function bridge(work: Work, [first, second]: readonly [LiveLeg, LiveLeg]): Promise<VoiceOutcome> {
  for (const leg of [first, second]) {
    const released = await releaseHold(work, leg);
    if (released.outcome !== 'accepted') return released;
  }
  return await join(work, first, second);
}

/**
 * When the bridge ends, Telnyx keeps the leg that got this command. It keeps a leg with `parks` in any case. So the
 * command goes to the other leg, and both are kept.
 */
async function join(work: Work, first: LiveLeg, second: LiveLeg): Promise<VoiceOutcome> {
  const [commanded, other] = first.parks ? [second, first] : [first, second];
  const body = { call_control_id: other.callControlId, park_after_unbridge: 'self' };
  return voiceOutcome(await actOnceReady(work, commanded, { action: 'bridge', name: 'bridge', body }));
}
