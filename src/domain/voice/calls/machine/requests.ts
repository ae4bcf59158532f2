/** Requests of the API to a call: some are refused, and the others have effects. */
import type { Call, Leg } from '../state/call.ts';
import { LISTENERS_MAX } from '../state/call-listener.ts';
import type { CallInput, CallRefusal } from '../state/call-step.ts';
import { startListening } from './announcements.ts';
import { markActive } from './application.ts';
import { findTransferrer } from './consult.ts';
import { openGather } from './digits.ts';
import { endingOf, finish } from './ending.ts';
import { holdOnRequest, resumeOnRequest } from './hold.ts';
import { addListener, endListener } from './listeners.ts';
import { controlRecording, mayPause } from './recording.ts';
import { queueSpeech, SPEECHES_MAX, stopSpeeches } from './speeches.ts';
import { openRelay, openStream } from './streaming.ts';
import { beginTransfer, cancelConsult, completeConsult } from './transfer.ts';
import { change, command, findAnsweredLeg, liveLegs, log, type Transition } from './transition.ts';

type RequestType =
  | 'hang_up'
  | 'send_digits'
  | 'gather'
  | 'transcribe'
  | 'start_stream'
  | 'start_relay'
  | 'speak'
  | 'stop_speaking'
  | 'transfer'
  | 'add_listener'
  | 'remove_listener'
  | 'complete_consult'
  | 'cancel_consult'
  | 'hold'
  | 'resume'
  | 'control_recording';
type Request = Extract<CallInput, { type: RequestType }>;

/** Returns why a request of the API is refused. Reports of carriers and timers are never refused. */
export function refusalOf(call: Call, input: CallInput): CallRefusal | undefined {
  const isTalking = call.stage.name === 'talking';
  switch (input.type) {
    case 'hang_up':
      return call.stage.name === 'ended' ? 'call_not_active' : undefined;
    case 'send_digits':
    case 'transcribe':
    case 'stop_speaking':
      return call.status === 'in_progress' ? undefined : 'call_not_active';
    case 'gather':
      if (call.status !== 'in_progress' || !mayGather(call)) return 'call_not_active';
      // A menu uses the same keys.
      return call.gather === null && call.stage.name !== 'menu' ? undefined : 'gather_in_progress';
    case 'start_stream':
      if (call.status !== 'ringing' && call.status !== 'in_progress') return 'call_not_active';
      return refusalOfStream(call);
    case 'start_relay':
      return isTalking ? refusalOfStream(call) : 'call_not_active';
    case 'speak':
      return isTalking ? refusalOfSpeech(call, input) : 'call_not_active';
    case 'transfer':
      return isTalking ? refusalOfTransfer(call, input) : 'call_not_active';
    case 'add_listener':
      return isTalking ? refusalOfListener(call, input) : 'call_not_active';
    case 'remove_listener':
      return call.listeners?.some(({ id }) => id === input.listenerId) === true ? undefined : 'listener_not_found';
    case 'complete_consult':
    case 'cancel_consult':
      return isTalking ? refusalOfConsult(call) : 'call_not_active';
    case 'hold':
    case 'resume':
      return isTalking ? undefined : 'call_not_active';
    case 'control_recording':
      return isTalking ? refusalOfRecording(call, input) : 'call_not_active';
    default:
      return undefined;
  }
}

/** The client of a stream and the agent of a relay need the same audio. */
function refusalOfStream({ stream }: Call): CallRefusal | undefined {
  if (stream === null) return undefined;
  return stream.isRelay ? 'relay_active' : 'stream_already_active';
}

/** Returns false while the caller waits for an agent with hold audio, or hears the last announcement of the call. */
function mayGather({ stage: { name } }: Call): boolean {
  return name !== 'ringing_targets' && name !== 'queued' && name !== 'goodbye';
}

function refusalOfSpeech(call: Call, { speech }: Extract<CallInput, { type: 'speak' }>): CallRefusal | undefined {
  if (speech.to === 'agent' && findAnsweredLeg(call, 'agent') === undefined) return 'no_agent';
  return (call.speeches ?? []).length < SPEECHES_MAX ? undefined : 'speech_queue_full';
}

/** A recording that was requested can be paused. One that has ended can be stopped again, which changes nothing. */
function refusalOfRecording(
  { recording }: Call,
  { action }: Extract<CallInput, { type: 'control_recording' }>,
): CallRefusal | undefined {
  if (action === 'start') return undefined;
  const isThere = action === 'stop' ? recording.name !== 'off' || recording.isCanceled : mayPause(recording);
  return isThere ? undefined : 'recording_not_active';
}

function refusalOfTransfer(
  call: Call,
  { transfer }: Extract<CallInput, { type: 'transfer' }>,
): CallRefusal | undefined {
  if (call.transfer !== undefined) return 'transfer_in_progress';
  if (transfer?.consults === true && findAnsweredLeg(call, 'agent') === undefined) return 'no_agent';
  const isHere = transfer !== null && liveLegs(call).some(({ address }) => address === transfer.to);
  return isHere ? 'on_this_call' : undefined;
}

/** A web client cannot listen to a call if it is a party of the call, or already listens to it. */
function refusalOfListener(
  { legs, listeners = [] }: Call,
  { listener: { webClientId } }: Extract<CallInput, { type: 'add_listener' }>,
): CallRefusal | undefined {
  const isHere =
    legs.some(({ address, state }) => address === webClientId && state !== 'ended') ||
    listeners.some((listener) => listener.webClientId === webClientId);
  return isHere || listeners.length >= LISTENERS_MAX ? 'listener_not_possible' : undefined;
}

/** A consultation lasts from the request until the agent or the new party leaves. */
function refusalOfConsult(call: Call): CallRefusal | undefined {
  const isUnderWay = call.transfer?.consults === true && findTransferrer(call) !== undefined;
  return isUnderWay ? undefined : 'no_consult_in_progress';
}

/** Carries out a request that is not refused. */
export function handleRequest(transition: Transition, input: Request): void {
  switch (input.type) {
    case 'hang_up':
      finish(transition, { ...endingOf(transition), detail: { reason: 'api_request' } });
      return;
    case 'send_digits': {
      const customer = findAnsweredLeg(transition.call, 'customer') as Leg;
      command(transition, { do: 'send_digits', legRef: customer.id, digits: input.digits });
      log(transition, 'dtmf', { digits: input.digits, sent: true });
      return;
    }
    case 'gather':
      markActive(transition);
      openGather(transition, input);
      return;
    case 'transcribe':
      if (transition.call.transcription === 'off') change(transition, { transcription: 'wanted' });
      startListening(transition);
      return;
    case 'start_stream':
      openStream(transition, input.stream);
      startListening(transition);
      return;
    case 'start_relay':
      openRelay(transition, input.relay);
      startListening(transition);
      return;
    case 'speak':
      markActive(transition);
      queueSpeech(transition, input.speech);
      return;
    case 'stop_speaking':
      stopSpeeches(transition);
      return;
    case 'transfer':
      markActive(transition);
      beginTransfer(transition, input);
      return;
    case 'add_listener':
      addListener(transition, input.listener);
      startListening(transition);
      return;
    case 'remove_listener':
      endListener(transition, input.listenerId, 'api_request');
      return;
    case 'complete_consult':
      completeConsult(transition);
      return;
    case 'cancel_consult':
      cancelConsult(transition);
      return;
    case 'hold':
      holdOnRequest(transition, input.audioRef);
      return;
    case 'resume':
      resumeOnRequest(transition);
      return;
    case 'control_recording':
      if (input.action === 'start') markActive(transition);
      controlRecording(transition, input);
      startListening(transition);
      return;
  }
}
