/**
 * Carries out what the machine of a call decides. Whatever happens to a call comes through here, in a transaction that
 * holds the call's row: the state, the log, commands, timers, jobs, usage and events of a step commit together or not
 * at all. Carriers are spoken to afterwards, from the call's lane.
 */
import type { Tx } from '../../../db/database.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import { noteThreadActivity } from '../../messaging/index.ts';
import { settleStreams } from '../media-streams/settle-streams.ts';
import type { Call, CallEffect, CallInput, CallRefusal, Step } from './call.ts';
import { step } from './call-machine.ts';
import { type PlannedEvent, planWrites } from './plan-writes.ts';
import { findCall, type HeldCall, holdCall, type InLedger } from './queries.ts';
import { type NewCall, writeNewCall, writeStep } from './write-queries.ts';

export type Stepped = {
  readonly call: Call;
  /** Why the last of the inputs that were refused changed nothing. */
  readonly refusal?: CallRefusal;
};

export type Steps = {
  readonly inputs: readonly CallInput[];
  /** Called once the call is held, before anything is written: for checks, and for locks that come after the call's. */
  readonly onHeld?: (held: HeldCall) => Promise<void> | void;
  /** Effects besides those of the steps. */
  readonly also?: readonly CallEffect[];
};

/**
 * Takes inputs into a call, in order. An input that changes nothing writes nothing.
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

/** As `stepCall`, with what is to happen beside the steps. */
export async function stepCallWith(
  tx: Tx,
  ledger: InLedger,
  callId: string,
  { inputs, onHeld, also = [] }: Steps,
): Promise<Stepped | undefined> {
  const held = await holdCall(tx, ledger, callId);
  if (held === undefined) return undefined;
  await onHeld?.(held);
  let at: Place = { held, state: held.state, effects: [] };
  let refusal: CallRefusal | undefined;
  for (const input of inputs) {
    const taken = step(at.state, input, held.now.getTime());
    if (taken.refusal !== undefined) refusal = taken.refusal;
    at = { ...at, state: taken.call, effects: [...at.effects, ...taken.effects] };
    // An event shows the call as it is after its step, so nothing of the next may be written before.
    if (taken.effects.some((effect) => effect.do === 'emit')) at = await write(tx, ledger, at);
  }
  at = await write(tx, ledger, { ...at, effects: [...at.effects, ...also] });
  return { call: at.state, ...(refusal !== undefined && { refusal }) };
}

/** How far a call has come in a transaction: as it is stored, and what is still to be written. */
type Place = { readonly held: HeldCall; readonly state: Call; readonly effects: readonly CallEffect[] };

async function write(tx: Tx, ledger: InLedger, { held, state, effects }: Place): Promise<Place> {
  if (state === held.state && effects.length === 0) return { held, state, effects };
  const writes = planWrites(held, { state, effects, at: held.now });
  await writeStep(tx, ledger, held, writes);
  const hasEnded = state.endedAtMs !== null && held.state.endedAtMs === null;
  if (hasEnded && held.conversation_id !== null) await noteThreadActivity(tx, ledger, held.conversation_id);
  await settleStreams(tx, ledger, held, effects);
  await emitPlanned(tx, ledger, { id: held.id, tenantId: held.tenant_id }, writes.events);
  const commands = held.commands + writes.commands.length;
  const log_entries = held.log_entries + writes.log.length;
  return { held: { ...held, state, commands, log_entries }, state, effects: [] };
}

/**
 * Writes a call that begins, with all that its first step does.
 * @returns false, and nothing is done, if the call is there already
 */
export async function openCall(
  tx: Tx,
  ledger: InLedger,
  call: NewCall,
  { begun, at }: { begun: Step; at: Date },
): Promise<boolean> {
  const writes = planWrites(call, { state: begun.call, effects: begun.effects, at });
  if (!(await writeNewCall(tx, ledger, call, writes))) return false;
  await emitPlanned(tx, ledger, call, writes.events);
  return true;
}

async function emitPlanned(
  tx: Tx,
  ledger: InLedger,
  { id, tenantId }: { id: string; tenantId: string },
  planned: readonly PlannedEvent[],
): Promise<void> {
  if (planned.length === 0) return;
  const call = planned.some(({ data }) => data === 'call') ? await findCall(tx, ledger, id) : undefined;
  const events = planned.map(({ type, data }): NewEvent => {
    return { type, tenantId, resourceId: id, data: data === 'call' ? (call as NewEvent['data']) : data };
  });
  await emitEvents(tx, ledger.ledgerId, events);
}
