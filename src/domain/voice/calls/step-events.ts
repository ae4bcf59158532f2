/** The events of a call's steps. */
import type { Tx } from '../../../db/database.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import type { CallEffect } from './call-step.ts';
import { findCall, type InLedger } from './queries.ts';
import type { Call as ShownCall } from './schema.ts';

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
