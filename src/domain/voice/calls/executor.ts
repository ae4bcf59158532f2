/**
 * Runs the machine of a call. Every input of a call comes through here, in a transaction that locks the call's row: the
 * state, log, commands, timers, jobs, usage and events of a step commit together or not at all. The call's lane
 * dispatches the commands after the commit.
 */
import type { Tx } from '../../../db/database.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import { recordActivities } from '../../messaging/index.ts';
import { CALL_PREVIEW, MISSED_CALL_PREVIEW } from '../conversation-previews.ts';
import { signalAgentDigits } from '../media-streams/digit-signal.ts';
import { settleStreams } from '../media-streams/settle-streams.ts';
import { KEEP_AUDIO, type KeepAudio } from '../recordings/keep-audio.ts';
import { SUMMARIZE_CALL, type SummarizeCall } from '../transcripts/summarize-call.ts';
import { keepSaid } from '../transcripts/transcribe.ts';
import { wakeWebClients } from '../web-clients/web-client-signal.ts';
import { entriesWithRoom } from './bounds.ts';
import type { Call } from './call.ts';
import { step } from './call-machine.ts';
import { signalCall } from './call-signal.ts';
import { type CallEffect, type CallInput, type CallRefusal, type Step, startedMinutes } from './call-step.ts';
import { nameOfAnswerer } from './machine/transition.ts';
import { findCall, type InLedger } from './queries.ts';
import type { Call as ShownCall } from './schema.ts';
import {
  type CallColumns,
  type LockedCall,
  lockCallState,
  type NewCall,
  type NewPostCallJob,
  type NewTimer,
  type Writes,
  writeNewCall,
  writeStep,
} from './write-queries.ts';

export type Stepped = {
  readonly call: Call;
  /** Why the last refused input changed nothing. */
  readonly refusal?: CallRefusal;
};

export type Steps = {
  readonly inputs: readonly CallInput[];
  /**
   * Called once the call is locked, before anything is written: for checks, and for locks that come after the call's.
   */
  readonly onLocked?: (locked: LockedCall) => Promise<void> | void;
  /** Effects in addition to those of the steps. */
  readonly also?: readonly CallEffect[];
};

/**
 * Applies inputs to a call, in order. An input that changes nothing writes nothing.
 * @returns undefined if there is no such call
 */
export function stepCall(
  tx: Tx,
  ledger: InLedger,
  callId: string,
  inputs: readonly CallInput[],
): Promise<Stepped | undefined> {
  return stepCallWith(tx, ledger, callId, { inputs });
}

/** Does what `stepCall` does, with a callback after the lock and additional effects. */
export async function stepCallWith(
  tx: Tx,
  ledger: InLedger,
  callId: string,
  { inputs, onLocked, also = [] }: Steps,
): Promise<Stepped | undefined> {
  const locked = await lockCallState(tx, ledger, callId);
  if (locked === undefined) return undefined;
  await onLocked?.(locked);
  let progress: Progress = { stored: locked, state: locked.state, effects: [] };
  let refusal: CallRefusal | undefined;
  for (const input of inputs) {
    const taken = step(progress.state, input, locked.now.getTime());
    if (taken.refusal !== undefined) refusal = taken.refusal;
    progress = { ...progress, state: taken.call, effects: [...progress.effects, ...taken.effects] };
    // An event shows the call as it is after its step, so the step is written before the next one.
    if (taken.effects.some((effect) => effect.do === 'emit')) progress = await write(tx, ledger, progress);
  }
  progress = await write(tx, ledger, { ...progress, effects: [...progress.effects, ...also] });
  return { call: progress.state, ...(refusal !== undefined && { refusal }) };
}

/** The call as it is stored, its new state, and the effects that are not written yet. */
type Progress = { readonly stored: LockedCall; readonly state: Call; readonly effects: readonly CallEffect[] };

async function write(tx: Tx, ledger: InLedger, { stored, state, effects }: Progress): Promise<Progress> {
  if (state === stored.state && effects.length === 0) return { stored, state, effects };
  const { id, tenant_id: tenantId, conversation_id, now: at } = stored;
  const writes = planWrites(id, { state, effects, at, logged: stored.log_entries });
  await writeStep(tx, ledger, stored, writes);
  const hasEnded = state.endedAtMs !== null && stored.state.endedAtMs === null;
  if (hasEnded) signalCall(tx, state);
  if (hasEnded && conversation_id !== null) {
    const preview = state.outcome === 'missed' ? MISSED_CALL_PREVIEW : CALL_PREVIEW;
    await recordActivities(tx, ledger, [{ id: conversation_id, preview }]);
  }
  if (state.legs !== stored.state.legs) wakeWebClients(tx, ledger, state.legs);
  await settleStreams(tx, ledger, at, effects);
  signalAgentDigits(tx, state, effects);
  await keepSaid(tx, ledger, { callId: id, at }, effects);
  await emitStepEvents(tx, ledger, { id, tenantId, at }, effects);
  const commands = stored.commands + writes.commands.length;
  const log_entries = stored.log_entries + writes.log.length;
  return { stored: { ...stored, state, commands, log_entries }, state, effects: [] };
}

/** The first step of a call. Urgent events are emitted before its own: an event waits for those before it. */
type Beginning = { readonly begun: Step; readonly at: Date; readonly urgent?: readonly NewEvent[] };

/**
 * Writes a new call with the effects of its first step.
 * @returns the call; undefined, and nothing is written, if it exists
 */
export async function openCall(
  tx: Tx,
  ledger: InLedger,
  call: NewCall,
  { begun, at, urgent = [] }: Beginning,
): Promise<ShownCall | undefined> {
  const { call: state, effects } = begun;
  const writes = planWrites(call.id, { state, effects, at, logged: 0 });
  if (!(await writeNewCall(tx, ledger, call, writes))) return undefined;
  signalCall(tx, { ...state, endedAtMs: null });
  if (state.endedAtMs !== null) signalCall(tx, state);
  const shown = callAtStart(call, writes);
  await emitFirstEvents(tx, ledger, { call: shown, effects }, urgent);
  return shown;
}

type Unwritten = {
  readonly state: Call;
  readonly effects: readonly CallEffect[];
  readonly at: Date;
  /** Entries that the call's log has. */
  readonly logged: number;
};

/** Sorts effects by the table that they are written to. If a timer is set several times, the last setting counts. */
function planWrites(callId: string, { state, effects, at, logged }: Unwritten): Writes {
  const timers = new Map<NewTimer['name'], NewTimer | null>();
  for (const effect of effects) {
    if (effect.do === 'set_timer') timers.set(effect.name, effect);
    if (effect.do === 'clear_timer') timers.set(effect.name, null);
  }
  const pick = <Do extends CallEffect['do']>(name: Do) =>
    effects.filter((effect): effect is Extract<CallEffect, { do: Do }> => effect.do === name);
  return {
    at,
    state,
    columns: columnsOf(state),
    log: entriesWithRoom(pick('log'), { stored: logged, isEnded: state.stage.name === 'ended' }),
    commands: pick('command').map(({ command }) => command),
    setTimers: [...timers.values()].filter((timer) => timer !== null),
    clearedTimers: [...timers].flatMap(([name, timer]) => (timer === null ? [name] : [])),
    jobs: effects.flatMap((effect) => toJob(callId, effect) ?? []),
    // A call may end in the moment in which its parties are connected: that is no use.
    usage: pick('meter').flatMap(({ kind, durationMs }) =>
      durationMs > 0 ? [{ kind, minutes: startedMinutes(durationMs) }] : [],
    ),
  };
}

function columnsOf({ status, outcome, answeredBy, connectedAtMs, endedAtMs }: Call): CallColumns {
  const connectedMs = connectedAtMs === null || endedAtMs === null ? 0 : endedAtMs - connectedAtMs;
  return {
    status,
    outcome,
    answeredBy: answeredBy === null ? null : nameOfAnswerer(answeredBy),
    durationSeconds: endedAtMs === null ? null : Math.round(connectedMs / 1000),
    endedAt: endedAtMs === null ? null : new Date(endedAtMs),
  };
}

function toJob(callId: string, effect: CallEffect): NewPostCallJob | undefined {
  switch (effect.do) {
    case 'keep_recording': {
      const { recordingId, durationMs, announced } = effect;
      const payload: KeepAudio = { purpose: 'call', callId, recordingId, durationMs, announced };
      return { id: `${KEEP_AUDIO}:${recordingId}`, kind: KEEP_AUDIO, payload };
    }
    case 'keep_voicemail': {
      const { recordingId, durationMs, transcribe } = effect;
      const payload: KeepAudio = { purpose: 'voicemail', callId, recordingId, durationMs, transcribe };
      return { id: `${KEEP_AUDIO}:${recordingId}`, kind: KEEP_AUDIO, payload };
    }
    case 'summarize': {
      const payload: SummarizeCall = { callId };
      return { id: `${SUMMARIZE_CALL}:${callId}`, kind: SUMMARIZE_CALL, payload };
    }
    default:
      return undefined;
  }
}

/** An event to emit once the call is written. Its data is the call itself, or its own. */
type PlannedEvent = { readonly type: NewEvent['type']; readonly data: NewEvent['data'] | 'call' };

function planEvents(callId: string, effects: readonly CallEffect[], at: Date): PlannedEvent[] {
  return effects.flatMap((effect): PlannedEvent[] => {
    switch (effect.do) {
      case 'emit':
        return [{ type: effect.event, data: 'call' }];
      case 'emit_digit': {
        const { digit, pressedBy: pressed_by } = effect;
        const data = { object: 'call_dtmf', call_id: callId, digit, pressed_by, occurred_at: at };
        return [{ type: 'call.dtmf', data }];
      }
      case 'emit_gather': {
        const { digits, reason } = effect;
        return [{ type: 'call.gather', data: { object: 'call_gather', call_id: callId, digits, reason } }];
      }
      case 'emit_speech': {
        const { speechId: speech_id, completed } = effect;
        const data = { object: 'call_speech', call_id: callId, speech_id, completed };
        return [{ type: 'call.speech.ended', data }];
      }
      case 'emit_menu': {
        const { digit, path } = effect;
        return [{ type: 'call.menu', data: { object: 'call_menu', call_id: callId, digit, path } }];
      }
      case 'emit_transfer':
        return [transferEvent(callId, effect)];
      default:
        return [];
    }
  });
}

function transferEvent(callId: string, { to, result }: Extract<CallEffect, { do: 'emit_transfer' }>): PlannedEvent {
  const isProgress = result === 'started' || result === 'completed';
  const data = { object: 'call_transfer', call_id: callId, to, reason: isProgress ? null : result };
  return { type: `call.transfer.${isProgress ? result : 'failed'}`, data };
}

type StepOfCall = { readonly id: string; readonly tenantId: string; readonly at: Date };

/** Emits the events of a step, which is written already. */
async function emitStepEvents(
  tx: Tx,
  ledger: InLedger,
  { id, tenantId, at }: StepOfCall,
  effects: readonly CallEffect[],
): Promise<void> {
  const planned = planEvents(id, effects, at);
  if (planned.length === 0) return;
  const call = planned.some(({ data }) => data === 'call') ? await findCall(tx, ledger, id) : undefined;
  const events = planned.map(({ type, data }): NewEvent => {
    return { type, tenantId, resourceId: id, data: data === 'call' ? (call as NewEvent['data']) : data };
  });
  await emitEvents(tx, ledger.ledgerId, events);
}

/** Emits the events of a call's first step in one statement, after urgent ones of the call. */
async function emitFirstEvents(
  tx: Tx,
  { ledgerId }: InLedger,
  { call, effects }: { readonly call: ShownCall; readonly effects: readonly CallEffect[] },
  urgent: readonly NewEvent[],
): Promise<void> {
  const { id, tenant_id: tenantId } = call;
  const planned = planEvents(id, effects, call.started_at);
  const own = planned.map(({ type, data }): NewEvent => {
    return { type, tenantId, resourceId: id, data: data === 'call' ? call : data };
  });
  await emitEvents(tx, ledgerId, [...urgent, ...own]);
}

/** Returns a call as the API shows it directly after its first step, without reading it back. */
function callAtStart(call: NewCall, { at, columns, log }: Writes): ShownCall {
  return {
    id: call.id,
    object: 'call',
    tenant_id: call.tenantId,
    phone_number_id: call.phoneNumberId,
    conversation_id: call.conversationId,
    direction: call.direction,
    from: call.from,
    to: call.to,
    connect_to: call.connectTo,
    status: columns.status,
    outcome: columns.outcome,
    answered_by: columns.answeredBy,
    duration_seconds: columns.durationSeconds ?? 0,
    record: call.record,
    recording_id: null,
    voicemail_id: null,
    summary: null,
    started_at: at,
    ended_at: columns.endedAt,
    events: log.map(({ type, detail }) => ({ type, at, detail })),
  };
}
