/**
 * Runs the machine of a call. Every input of a call comes through here, in a transaction that locks the call's row: the
 * state, log, commands, timers, jobs, usage and events of a step commit together or not at all. The call's lane
 * dispatches the commands after the commit.
 */
import type { Tx } from '../../../db/database.ts';
import type { NewEvent } from '../../events/index.ts';
import { recordActivities } from '../../messaging/index.ts';
import { CALL_PREVIEW, MISSED_CALL_PREVIEW } from '../conversation-previews.ts';
import { signalAgentDigits } from '../media-streams/digit-signal.ts';
import { settleStreams } from '../media-streams/settle-streams.ts';
import { storableText } from '../post-call/model-attempt.ts';
import { KEEP_AUDIO, type KeepAudio } from '../recordings/keep-audio.ts';
import { keepUtterance } from '../transcripts/queries.ts';
import { SUMMARIZE_CALL, type SummarizeCall } from '../transcripts/summarize-call.ts';
import { transcribeUtterances } from '../transcripts/transcribe.ts';
import { isWebClient } from '../web-clients/rules.ts';
import { wakeWebClient } from '../web-clients/web-client-signal.ts';
import { entriesWithRoom } from './bounds.ts';
import type { Call } from './call.ts';
import { step } from './call-machine.ts';
import { signalCall } from './call-signal.ts';
import { type CallEffect, type CallInput, type CallRefusal, type Step, startedMinutes } from './call-step.ts';
import { nameOfAnswerer } from './machine/transition.ts';
import type { InLedger } from './queries.ts';
import type { Call as ShownCall } from './schema.ts';
import { emitFirstEvents, emitStepEvents } from './step-events.ts';
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
  if (state.legs !== stored.state.legs) wakeWebClients(tx, ledger, state);
  await settleStreams(tx, ledger, at, effects);
  signalAgentDigits(tx, state, effects);
  await keepSaid(tx, ledger, { callId: id, at }, effects);
  await emitStepEvents(tx, ledger, { id, tenantId, at }, effects);
  const commands = stored.commands + writes.commands.length;
  const log_entries = stored.log_entries + writes.log.length;
  return { stored: { ...stored, state, commands, log_entries }, state, effects: [] };
}

/** Adds what the application has said to the transcript. */
async function keepSaid(
  tx: Tx,
  ledger: InLedger,
  { callId, at }: { callId: string; at: Date },
  effects: readonly CallEffect[],
): Promise<void> {
  const said = effects.filter((effect) => effect.do === 'keep_said');
  for (const { speechId: ref, text } of said) {
    await keepUtterance(tx, ledger, callId, { ref, speaker: 'agent', text: storableText(text), endedAt: at });
  }
  if (said.length > 0) await transcribeUtterances(tx, ledger, callId);
}

/** Tells the web clients of a call that its legs have changed: they show whether the other party rings or answers. */
function wakeWebClients(tx: Tx, { ledgerId }: InLedger, { legs }: Call): void {
  for (const { address, state } of legs) {
    if (isWebClient(address) && state !== 'ended') wakeWebClient(tx, { ledgerId, webClientId: address });
  }
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
