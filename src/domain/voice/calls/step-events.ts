/** The events of a call's steps. */
import type { Tx } from '../../../db/database.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import type { CallEffect } from './call.ts';
import { findCall, type InLedger } from './queries.ts';
import type { Call } from './schema.ts';
import type { NewCall, Writes } from './write-queries.ts';

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
      default:
        return [];
    }
  });
}

type StepOfCall = { readonly id: string; readonly tenantId: string; readonly at: Date };

/** Emits the events of a step, which is written already. */
export async function emitStepEvents(
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
export async function emitFirstEvents(
  tx: Tx,
  { ledgerId }: InLedger,
  { call, effects }: { readonly call: Call; readonly effects: readonly CallEffect[] },
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
export function callAtStart(call: NewCall, { at, columns, log }: Writes): Call {
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
