/**
 * Runs the machine of a call. Every input of a call comes through here, in a transaction that locks the call's row. The
 * state, log, commands, timers, jobs, usage and events of a step commit together or not at all. The call's lane
 * dispatches the commands after the commit.
 */
import type { Db, Tx } from '../../../../db/database.ts';
import type { JoinedWrite } from '../../../../db/statement.ts';
import { isEmergencyNumber } from '../../../../lib/phone/emergency.ts';
import type { Ledger, Mode } from '../../../../lib/scope.ts';
import { emitEvents, type NewEvent } from '../../../events/index.ts';
import { announceReopened } from '../../../messaging/index.ts';
import { CALL_PREVIEW, MISSED_CALL_PREVIEW } from '../../conversation-previews.ts';
import { signalAgentDigits } from '../../media-streams/digit-signal.ts';
import { settleStreams } from '../../media-streams/settle-streams.ts';
import { changesEntry, writeEntry } from '../../queues/entry-queries.ts';
import { keepSaid } from '../../transcripts/transcribe.ts';
import { wakeWebClient, wakeWebClients } from '../../web-clients/web-client-signal.ts';
import { entriesWithRoom } from '../bounds.ts';
import { step } from '../machine/call-machine.ts';
import { nameOfAnswerer } from '../machine/transition.ts';
import { type InLedger, type LockedCall, lockCallState, type ReadCall, showCall } from '../queries.ts';
import type { Call as ShownCall } from '../schema.ts';
import { agentLegsOf } from '../state/agent-legs.ts';
import type { Call } from '../state/call.ts';
import {
  type CallColumns,
  type CallEffect,
  type CallInput,
  type CallRefusal,
  type NewTimer,
  planEvents,
  type Step,
  startedMinutes,
  type Writes,
} from '../state/call-step.ts';
import { callAtStart } from './call-at-start.ts';
import { addCommands, type ClaimedCommands, signalCall, startCommands } from './call-signal.ts';
import type { NewCall } from './new-call.ts';
import { toJob } from './post-call-jobs.ts';
import { writeNewCall, writeStep, writeStepWith } from './write-queries.ts';

export type Stepped = {
  readonly call: Call;
  /** Why the last refused input changed nothing. */
  readonly refusal?: CallRefusal;
};

export type Steps = {
  readonly inputs: readonly CallInput[];
  /**
   * Called when the call is locked and nothing is written yet: for checks, and for locks that must follow the lock of
   * the call.
   */
  readonly onLocked?: (locked: LockedCall) => Promise<void> | void;
  /** Effects in addition to the effects of the steps. */
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

/** Does the same as `stepCall`, with a callback after the lock and additional effects. */
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
    // An event shows the call as it is after its own step. So this step is written before the next one is taken.
    if (taken.effects.some((effect) => effect.do === 'emit' && effect.data === null))
      progress = await write(tx, ledger, progress);
  }
  progress = await write(tx, ledger, { ...progress, effects: [...progress.effects, ...also] });
  if (progress.claimed !== undefined) startCommands(tx, locked, progress.state, progress.claimed);
  return { call: progress.state, ...(refusal !== undefined && { refusal }) };
}

/** The call as it is stored, its new state, and the effects that are not written yet. */
type Progress = {
  readonly stored: LockedCall;
  readonly state: Call;
  readonly effects: readonly CallEffect[];
  readonly claimed?: ClaimedCommands | undefined;
};

async function write(tx: Tx, ledger: InLedger, progress: Progress): Promise<Progress> {
  const { stored, state, effects } = progress;
  if (state === stored.state && effects.length === 0) return progress;
  const { id, now: at } = stored;
  const events = planEvents(stored, effects);
  // The application's words enter the transcript before the event of the end of its speech.
  const isSaid = effects.some((effect) => effect.do === 'keep_said');
  const { log_entries: logged, mode } = stored;
  const activity = activityOf(stored, state);
  const writes = planWrites(id, {
    before: stored.state,
    state,
    effects,
    at,
    logged,
    mode,
    events: isSaid ? [] : events,
    activity,
  });
  const { offer, reopened } = await writeStep(tx, ledger, stored, writes);
  if (activity !== null) await announceReopened(tx, ledger, { id: activity.id, reopened });
  if (changesEntry(stored.state, state)) await writeEntry(tx, ledger, id, state);
  signalStep(tx, ledger, stored, { state, effects });
  await settleStreams(tx, ledger, { callId: id, tenantId: stored.tenant_id, at }, effects);
  await keepSaid(tx, ledger, { callId: id, at }, effects);
  if (isSaid) await emitEvents(tx, ledger.ledgerId, await showCall(tx, ledger, id, events));
  const claimed = addCommands(progress.claimed, offer, { after: stored.commands, commands: writes.commands });
  const commands = stored.commands + writes.commands.length;
  const log_entries = stored.log_entries + writes.log.length;
  return { stored: { ...stored, state, commands, log_entries }, state, effects: [], claimed };
}

const hasEnded = (before: Call, after: Call) => after.endedAtMs !== null && before.endedAtMs === null;

/** Returns the activity of the call's conversation: the end of the call. */
function activityOf({ conversation_id: id, state: before }: LockedCall, state: Call): Writes['activity'] {
  if (id === null || !hasEnded(before, state)) return null;
  if (state.outcome !== 'missed') return { id, preview: CALL_PREVIEW, kind: 'call', reopens: false };
  return { id, preview: MISSED_CALL_PREVIEW, kind: 'missed_call', reopens: true };
}

/** After the commit, signals the facts of a step that this process needs. */
function signalStep(
  db: Db,
  ledger: InLedger,
  { state: before }: LockedCall,
  { state, effects }: Pick<Progress, 'state' | 'effects'>,
): void {
  if (hasEnded(before, state)) signalCall(db, state);
  if (state.legs !== before.legs || state.transfer !== before.transfer) wakeWebClients(db, ledger, state.legs);
  wakeListeners(db, ledger, before, state);
  signalAgentDigits(db, state, effects);
}

/** Notifies the listeners whom a step connects with other parties. */
function wakeListeners(db: Db, { ledgerId }: InLedger, before: Call, { listeners = [], hold, transfer }: Call): void {
  if (listeners === before.listeners && hold === before.hold && transfer === before.transfer) return;
  for (const { webClientId } of listeners) wakeWebClient(db, { ledgerId, webClientId });
}

/** Effects that `stepCallAtOnce` cannot write. */
const OF_TRANSACTIONS: ReadonlySet<CallEffect['do']> = new Set([
  'activate_stream',
  'end_stream',
  'open_relay',
  'dial_relay',
  'keep_said',
]);

/**
 * Applies an input to a call that was read and not locked, in one statement, together with a joined write.
 * - written: returns the result of the joined write, and the call as it is now.
 * - needless: the input changes nothing.
 * - declined: nothing is written. Either the call has just changed, or the step has effects that this statement cannot
 *   write, for example the effects of a missed call. The caller then uses `stepCall`.
 */
export async function stepCallAtOnce(
  db: Db,
  ledger: InLedger,
  call: ReadCall,
  { input, joined }: { readonly input: CallInput; readonly joined: JoinedWrite },
): Promise<'needless' | 'declined' | { readonly joined: unknown; readonly call: ReadCall }> {
  const { id, now: at, mode } = call;
  const { call: state, effects } = step(call.state, input, at.getTime());
  if (state === call.state && effects.length === 0) return 'needless';
  if (effects.some((effect) => OF_TRANSACTIONS.has(effect.do)) || changesEntry(call.state, state)) return 'declined';
  const [events, activity] = [planEvents(call, effects), activityOf(call, state)];
  // The input may be an event of the conversation.
  if (activity?.reopens === true) return 'declined';
  const before = call.state;
  const writes = planWrites(id, { before, state, effects, at, logged: call.log_entries, mode, events, activity });
  const written = await writeStepWith(db, ledger, { call, joined }, writes);
  if (written === undefined) return 'declined';
  signalStep(db, ledger, call, { state, effects });
  const claimed = addCommands(undefined, written.offer, { after: call.commands, commands: writes.commands });
  if (claimed !== undefined) startCommands(db, call, state, claimed);
  const [commands, log_entries] = [call.commands + writes.commands.length, call.log_entries + writes.log.length];
  const { version } = written;
  // The state as a read would return it: JSON leaves out undefined fields.
  const read = JSON.parse(JSON.stringify(state)) as Call;
  return { joined: written.joined, call: { ...call, state: read, commands, log_entries, version } };
}

/**
 * The first step of a call. Urgent events are emitted before the step's own events, because an event waits for earlier
 * events.
 */
type Beginning = { readonly begun: Step; readonly at: Date; readonly urgent?: readonly NewEvent[] };

/**
 * Writes a new call with the effects of its first step, and its activity in its conversation.
 * @returns the call; undefined if it exists
 */
export async function openCall(
  tx: Tx,
  ledger: Ledger,
  call: NewCall,
  { begun, at, urgent = [] }: Beginning,
): Promise<ShownCall | undefined> {
  const { call: state, effects } = begun;
  const { id, tenantId: tenant_id, connectionId: connection_id } = call;
  const events = [...urgent, ...planEvents({ id, tenant_id }, effects)];
  const { ledgerId: ledger_id, accountId: account_id, mode } = ledger;
  const writes = planWrites(id, { before: null, state, effects, at, logged: 0, mode, events, activity: null });
  const written = await writeNewCall(tx, ledger, call, writes);
  if (written === undefined) return undefined;
  const { conversation_id, reopened } = written;
  if (conversation_id !== null) await announceReopened(tx, ledger, { id: conversation_id, reopened });
  signalCall(tx, { ...state, endedAtMs: null });
  if (state.endedAtMs !== null) signalCall(tx, state);
  const claimed = addCommands(undefined, written.offer, { after: 0, commands: writes.commands });
  const opened = { ledger_id, id, connection_id, account_id, mode, is_emergency: isEmergencyNumber(call.to) };
  if (claimed !== undefined) startCommands(tx, opened, state, claimed);
  return callAtStart({ ...call, conversationId: conversation_id }, writes);
}

type Unwritten = {
  /** The call before the step; null for a new one. */
  readonly before: Call | null;
  readonly state: Call;
  readonly effects: readonly CallEffect[];
  readonly at: Date;
  /** The number of entries in the call's log. */
  readonly logged: number;
  readonly mode: Mode;
} & Pick<Writes, 'events' | 'activity'>;

/** Sorts effects by the table that they are written to. If a timer is set several times, the last setting counts. */
function planWrites(callId: string, { before, state, effects, at, logged, mode, ...others }: Unwritten): Writes {
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
    jobs: effects.flatMap((effect) => toJob(callId, effect, mode) ?? []),
    agentLegs: agentLegsOf(before?.legs ?? [], state.legs),
    // A call that ends at the moment of its connection has no usage.
    usage: pick('meter').flatMap(({ kind, durationMs }) =>
      durationMs > 0 ? [{ kind, minutes: startedMinutes(durationMs) }] : [],
    ),
    ...others,
  };
}

function columnsOf({ status, outcome, answeredBy, detection, route, connectedAtMs, endedAtMs }: Call): CallColumns {
  const connectedMs = connectedAtMs === null || endedAtMs === null ? 0 : endedAtMs - connectedAtMs;
  return {
    status,
    outcome,
    answeredBy: answeredBy === null ? null : nameOfAnswerer(answeredBy),
    answeredByKind: detection?.kind ?? null,
    routeBranch: route?.branch ?? null,
    routeReason: route?.reason ?? null,
    durationSeconds: endedAtMs === null ? null : Math.round(connectedMs / 1000),
    endedAt: endedAtMs === null ? null : new Date(endedAtMs),
  };
}
