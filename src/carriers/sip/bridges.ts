/**
 * Bridges of two legs. Each pair has its own bridge. A leg that is joined with another leg leaves its earlier bridge.
 */

import { ACCEPTED, LEG_GONE, type VoiceOutcome } from '../call-control/verbs.ts';
import type { AriAnswer } from './ari-client.ts';
import { joinLegs } from './leg-queries.ts';
import { makeBridge } from './media/helpers.ts';
import { endOwnSounds } from './media/playbacks.ts';
import { engineOf, type LiveLeg, voiceOutcome, type Work } from './sip-line.ts';

/** Joins two legs. If the command is repeated, the bridge already has both. */
export async function bridge(work: Work, [first, second]: readonly [LiveLeg, LiveLeg]): Promise<VoiceOutcome> {
  const { line, ledger, callRef, commandRef } = work;
  if (first.engine !== second.engine) return LEG_GONE;
  const engine = engineOf(line, first);
  const bridgeId = `${callRef}.${commandRef.replaceAll(/\W/g, '_')}`;
  const ofConnection = { ledgerId: ledger.ledgerId, connectionId: line.connectionId };
  const answered = await answerTelephone(work, [first, second]);
  if (answered.outcome !== 'accepted') return answered;
  await joinLegs(line.db, ofConnection, { legRefs: [first.legRef, second.legRef], bridgeId });
  const quiet = await endOwnSounds(work, [first.legRef, second.legRef], ['speech', 'hold', 'beep']);
  if (quiet.outcome !== 'accepted') return quiet;
  const problem = await makeBridge(engine, bridgeId, callRef);
  if (problem !== undefined) return voiceOutcome(problem);
  return await enterBridge(work, [first, second], bridgeId);
}

/**
 * Answers a telephone that has dialled. In the product its leg is already up; the telephone itself has played ringing
 * until now. May be repeated.
 */
async function answerTelephone({ line }: Work, legs: readonly LiveLeg[]): Promise<VoiceOutcome> {
  const telephone = legs.find(({ dialled, party }) => dialled === null && party === 'agent');
  if (telephone === undefined) return ACCEPTED;
  const path = `/channels/${telephone.channelId}/answer`;
  return voiceOutcome(await engineOf(line, telephone).ask({ method: 'POST', path }));
}

/** Puts legs into a bridge. A leg that is held or in another bridge leaves it. */
export async function enterBridge({ line }: Work, legs: readonly LiveLeg[], bridgeId: string): Promise<VoiceOutcome> {
  const [first] = legs;
  if (first === undefined) return LEG_GONE;
  const channel = legs.map(({ channelId }) => channelId).join(',');
  const path = `/bridges/${bridgeId}/addChannel`;
  const entered = await engineOf(line, first).ask({ method: 'POST', path, query: { channel }, mayWait: true });
  return isNotUp(entered) ? LEG_GONE : voiceOutcome(entered);
}

/** True if a leg is not in the answered state. Asterisk reports this as 400, 409 or 422. */
function isNotUp(answer: AriAnswer): boolean {
  return answer.is === 'refused' && [400, 409, 422].includes(answer.status);
}
