/**
 * The customer's voice for the gateway's detector of answering machines, if the carrier does not detect them. It is
 * requested once the customer has answered, after the command that joins the parties. Only the detector receives it.
 * With `isShared` the detector receives the audio of the call instead, because a carrier sends the audio of a leg only
 * once.
 */
import type { Call, Leg } from '../state/call.ts';
import type { CallInput } from '../state/call-step.ts';
import type { Detection } from '../state/detection.ts';
import { handleClassified } from './detection.ts';
import { closeStream, hasClient } from './streaming.ts';
import { change, command, findAnsweredLeg, type Transition } from './transition.ts';

/**
 * The most requests for the voice on one call. If the carrier ends the audio after the last one, the detection stops.
 */
const REQUESTS_MAX = 3;

/** Requests the customer's voice, if the detection is not complete and no request is open. */
export function requestHearing(transition: Transition): void {
  const { call, nowMs } = transition;
  const customer = findAnsweredLeg(call, 'customer');
  const hearing = call.detection?.hearing;
  if (customer === undefined || hearing === undefined || hearing.streamRef !== null || !isUndecided(call)) return;
  if (hearing.requests >= REQUESTS_MAX) return;
  const count = call.count + 1;
  const streamRef = hearingRef(call.id, count);
  const answeredMs = hearing.answeredMs ?? nowMs;
  change(transition, { count });
  setHearing(transition, { ...hearing, streamRef, requests: hearing.requests + 1, answeredMs });
  command(transition, { do: 'start_stream', streamRef, legRef: customer.id, direction: 'fork', track: 'inbound' });
}

/** Handles the end of a stream, and a stream whose client has not connected in time. */
export function handleStreamEnd(
  transition: Transition,
  input: Extract<CallInput, { type: 'stream_over' | 'stream_unused' }>,
): void {
  const { streamId } = input;
  if (input.type === 'stream_over') {
    closeStream(transition, streamId, input);
    loseHearing(transition, streamId);
  } else if (!hasClient(transition.call)) closeStream(transition, streamId, { reason: 'no_client' });
}

/**
 * Handles the end of the customer's voice. If the kind of party is not known yet, it is now `unknown`: a detector that
 * starts in the middle of a conversation would mistake it for a greeting. The end of a machine's greeting is still
 * detected.
 */
export function loseHearing(transition: Transition, streamRef: string): void {
  const { detection, stage } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (detection?.hearing?.streamRef !== streamRef || stage.name === 'ended') return;
  setHearing(transition, { ...detection.hearing, streamRef: null });
  if (customer !== undefined) handleClassified(transition, customer, 'unknown');
}

/** Handles the loss of the call's audio, if the detector shares it. */
export function loseSharedHearing(transition: Transition): void {
  const { hearing } = transition.call.detection ?? {};
  if (hearing?.isShared && hearing.streamRef !== null) loseHearing(transition, hearing.streamRef);
}

function setHearing(transition: Transition, hearing: NonNullable<Detection['hearing']>): void {
  const { detection } = transition.call;
  if (detection !== undefined) change(transition, { detection: { ...detection, hearing } });
}

function isUndecided({ detection, stage }: Call): boolean {
  if (detection === undefined || stage.name === 'ended') return false;
  return detection.kind === null || (detection.kind === 'machine' && !detection.greetingEnded);
}

const hearingRef = (callId: string, count: number) => `${callId}.h${count}`;

/** Returns true for the name of a request for the customer's voice. Other streams have ids as names. */
export function isHearingRef(streamRef: string): boolean {
  return streamRef.includes('.h');
}

/** The kinds that the detector looks for. `nothing`: it receives the customer's voice too late. */
export type Wanted = 'kind' | 'greeting_end' | 'nothing';

/** Returns the kinds that the detector looks for in a leg; undefined if no detection is wanted. */
export function hearingOf(
  { detection }: Pick<Call, 'detection'>,
  leg: Leg | undefined,
  nowMs: number,
): Wanted | undefined {
  if (detection?.hearing === undefined || leg?.state !== 'up' || leg.party !== 'customer') return undefined;
  const { kind, greetingEnded, hearing } = detection;
  if (kind === 'machine' && !greetingEnded) return 'greeting_end';
  if (kind !== null) return undefined;
  return nowMs - (hearing.answeredMs ?? nowMs) > LATE_MS ? 'nothing' : 'kind';
}

/** By this time the first word of a greeting is over, so a later detector would miss it. */
const LATE_MS = 3_000;
