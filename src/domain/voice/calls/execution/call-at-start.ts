/** A call as the API shows it before it is read back. */

import type { Call as ShownCall } from '../schema.ts';
import type { CallColumns, Writes } from '../state/call-step.ts';
import type { NewCall } from './new-call.ts';

/** Returns a call as the API shows it directly after its first step, without reading it back. */
export function callAtStart(call: NewCall, { at, columns, log }: Writes): ShownCall {
  return {
    id: call.id,
    object: 'call',
    tenant_id: call.tenantId,
    phone_number_id: call.phoneNumberId,
    conversation_id: call.conversationId,
    direction: call.direction,
    from: call.from,
    to: call.to,
    caller_name: call.callerName ?? null,
    attestation: call.attestation ?? null,
    connect_to: call.connectTo,
    status: columns.status,
    outcome: columns.outcome,
    answered_by: columns.answeredBy,
    answered_by_kind: columns.answeredByKind,
    route: showRoute(call.routingConfigId ?? null, columns, at),
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

function showRoute(
  routing_config_id: string | null,
  { routeBranch: branch, routeReason: reason }: CallColumns,
  at: Date,
): ShownCall['route'] {
  return branch === null ? null : { routing_config_id, branch, reason, at };
}
