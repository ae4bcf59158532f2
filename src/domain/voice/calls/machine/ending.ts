/** The end of a call, for any reason. */
import type { HangUpReason, LegEndCause, LegRefusal } from '../../../../carriers/ports/voice.ts';
import { isSipPhone } from '../../../../lib/phone/agent-address.ts';
import { type Call, type CallOutcome, type CallStatus, type Leg, TIMERS } from '../state/call.ts';
import type { TransferFailure } from '../state/call-transfer.ts';
import { closeGather } from './digits.ts';
import { endListeners } from './listeners.ts';
import { abandonQueue } from './queue.ts';
import { stopRecording } from './recording.ts';
import { decideUnanswered } from './route.ts';
import { dropSpeeches } from './speeches.ts';
import { closeStream } from './streaming.ts';
import { change, clearTimer, command, emit, findLeg, hangUp, log, type Transition } from './transition.ts';

const MESSAGE_MS_MIN = 500;
/** The length of the tone before a message. The message does not contain the tone. */
const TONE_MS = 300;

export type Ending = {
  readonly status: Extract<CallStatus, 'completed' | 'failed' | 'missed'>;
  readonly outcome: CallOutcome;
  /** The detail of the log entry of the end. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The time when the leg ended; now by default. */
  readonly atMs?: number;
};

/**
 * Returns the end of the connected time. This is the time that the carrier reports for the end of the leg, but at the
 * earliest the connection of the parties, and at the latest now.
 */
export function connectedUntilMs({ call, nowMs }: Transition, endedAtMs = nowMs): number {
  const { connectedAtMs } = call;
  return connectedAtMs === null ? nowMs : Math.min(Math.max(endedAtMs, connectedAtMs), nowMs);
}

/**
 * Ends the call once: ends its waiting in a queue, closes its gather, stream, speeches and transfer, hangs up every
 * leg, stops its recordings and meters its usage.
 */
export function finish(transition: Transition, { status, outcome, detail, atMs = transition.nowMs }: Ending): void {
  if (transition.call.stage.name === 'ended') return;
  decideUnanswered(transition);
  abandonQueue(transition);
  if (transition.call.gather !== null) closeGather(transition, 'hangup');
  closeStream(transition, transition.call.stream?.id, { reason: 'call_ended' });
  dropSpeeches(transition);
  dropTransfer(transition, 'canceled');
  endListeners(transition, 'call_ended');
  // Hang-ups come first, because the parties wait for them. The end of the legs also ends recordings.
  for (const leg of transition.call.legs) hangUp(transition, leg, reasonFor(leg, outcome));
  stopRecording(transition);
  if (transition.call.stage.name === 'taking_message') {
    command(transition, { do: 'stop_recording', recordingRef: transition.call.voicemailRecordingId });
  }
  for (const name of TIMERS) clearTimer(transition, name);
  change(transition, { status, outcome, stage: { name: 'ended' }, endedAtMs: atMs });
  log(transition, status === 'failed' ? 'failed' : 'hangup', { ...detail, outcome });
  meterUsage(transition, atMs);
  if (transition.call.direction === 'inbound' && outcome === 'missed') {
    emit(transition, 'call.missed', null);
  }
  emit(transition, 'call.completed', null);
  if (transition.call.transcription === 'on') transition.effects.push({ do: 'summarize' });
  if (UNANSWERED.includes(outcome)) replyToCaller(transition);
}

/** Outcomes of calls that were not answered. The caller may get a text (`replyToCaller`). */
const UNANSWERED: readonly CallOutcome[] = ['missed', 'voicemail'];

function replyToCaller({ call: { route, legs }, effects }: Transition): void {
  const number = route?.repliesFrom;
  const person = legs.find(({ party }) => party === 'customer')?.address;
  if (number === undefined || person === undefined) return;
  effects.push({ do: 'reply', number, person, isClosed: route?.isClosed === true });
}

/**
 * Returns the reason for hanging up a leg. A caller who was not answered gets `no_answer`; with `ended` the network
 * would report that the call was declined. A telephone that has dialled shows its user the outcome of the call.
 */
function reasonFor({ address, direction, state }: Leg, outcome: CallOutcome): HangUpReason {
  const isUnanswered = direction === 'inbound' && state === 'ringing' && outcome === 'missed';
  if (outcome === 'no_answer' || isUnanswered) return 'no_answer';
  const hasDialled = direction === 'inbound' && isSipPhone(address);
  return hasDialled && (outcome === 'busy' || outcome === 'failed') ? outcome : 'ended';
}

function meterUsage({ call, effects }: Transition, atMs: number): void {
  if (call.connectedAtMs === null) return;
  const kind = call.direction === 'outbound' ? 'call_minute_outbound' : 'call_minute_inbound';
  effects.push({ do: 'meter', kind, durationMs: atMs - call.connectedAtMs });
  if (call.transcribedFromMs !== null) {
    effects.push({ do: 'meter', kind: 'transcription_minute', durationMs: atMs - call.transcribedFromMs });
  }
}

/** Ends the transfer that is under way, if there is one, and hangs up its new agent. */
export function dropTransfer(transition: Transition, reason: TransferFailure, refusal?: LegRefusal): void {
  const { transfer } = transition.call;
  if (transfer === undefined) return;
  const { to, legId } = transfer;
  const leg = findLeg(transition.call, legId);
  if (leg !== undefined) hangUp(transition, leg, reason === 'no_answer' ? 'no_answer' : 'ended');
  change(transition, { transfer: undefined, failedTransfer: { reason, atMs: transition.nowMs } });
  clearTimer(transition, 'transfer');
  log(transition, 'transfer_failed', { to, reason, ...(refusal && { sip_status: refusal.sip_status }) });
  emit(transition, 'call.transfer.failed', { to, reason });
}

/**
 * Returns the status and outcome of a call that ends at its present stage: a party, the API or a timer ends it.
 * @param messageMs length of the caller's message, if the carrier has reported it
 */
export function endingOf(
  { call, nowMs }: Pick<Transition, 'call' | 'nowMs'>,
  messageMs = messageMsUntil(call, nowMs),
): Pick<Ending, 'status' | 'outcome'> {
  switch (call.stage.name) {
    case 'dialing_agent':
    case 'dialing_customer':
      return { status: 'failed', outcome: 'canceled' };
    case 'ringing_targets':
    case 'answering':
      // A caller who has heard a menu or an application is connected.
      return { status: call.connectedAtMs === null ? 'missed' : 'completed', outcome: 'missed' };
    case 'menu':
    case 'queued':
    case 'goodbye':
      return { status: 'completed', outcome: 'missed' };
    case 'greeting':
      return { status: 'completed', outcome: withoutMessage(call) };
    case 'taking_message':
      return { status: 'completed', outcome: isMessage(messageMs) ? 'voicemail' : withoutMessage(call) };
    default:
      return { status: 'completed', outcome: 'answered' };
  }
}

/**
 * Returns the outcome of a call whose customer leaves no message. An agent may have answered it before the voicemail.
 */
function withoutMessage({ answeredBy }: Call): CallOutcome {
  return answeredBy === 'voicemail' ? 'missed' : 'answered';
}

/**
 * Returns true if the audio of a message is long enough to be kept. If it is shorter, the caller hung up at the tone.
 */
export function isMessage(durationMs: number): boolean {
  return durationMs >= MESSAGE_MS_MIN;
}

/** Returns how much time the caller has had for the message, after the tone. */
function messageMsUntil({ messageFromMs }: Call, nowMs: number): number {
  return messageFromMs === null ? 0 : nowMs - messageFromMs - TONE_MS;
}

/** Returns the outcome of a click-to-call whose dialled party did not answer. */
export function outcomeOfCause(cause: LegEndCause): CallOutcome {
  switch (cause) {
    case 'hangup':
    case 'canceled':
      return 'canceled';
    case 'busy':
      return 'busy';
    case 'no_answer':
      return 'no_answer';
    default:
      return 'failed';
  }
}
