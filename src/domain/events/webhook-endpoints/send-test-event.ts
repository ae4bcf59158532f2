import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type EventType, sampleOf } from '../catalog.ts';
import { attemptDelivery, renderEnvelope } from '../deliveries/attempt.ts';
import { readTarget } from '../deliveries/targets.ts';
import type { SendTestEvent, TestDelivery } from './schema.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'clock' | 'metrics' | 'outbound'>;

type TestSend = {
  readonly endpointId: string;
  readonly wanted: SendTestEvent;
  /** The trace context of the request. */
  readonly traceparent: string | null;
};

/**
 * Sends a sample event in the same way as a real one, with a signature, and returns the receiver's answer. Nothing is
 * stored. The type has been checked (`checkTestEvent`). Errors: webhook_endpoint_not_found.
 */
export async function sendTestEvent(
  context: Needs,
  { ledgerId, mode }: Ledger,
  { endpointId, wanted, traceparent }: TestSend,
): Promise<TestDelivery> {
  const type = (wanted.event_type ?? 'message.received') as EventType;
  const target = await readTarget(context, ledgerId, endpointId);
  if (target === undefined) throw new ApiError('webhook_endpoint_not_found');
  const createdAt = new Date(context.clock.now() + target.clockOffsetMs);
  const sample = sampleOf(type, createdAt);
  const eventId = newId('event');
  const body = renderEnvelope(
    {
      event_id: eventId,
      type,
      created_at: createdAt,
      tenant_id: sample.tenantId,
      resource_id: sample.resourceId,
      sequence: 1,
      payload: JSON.stringify(sample.data),
    },
    target.eventVersion,
  );
  const { attempt, label } = await attemptDelivery(context, target, { eventId, body, mode, traceparent });
  return { delivered: label === 'delivered', response_status: attempt.response_status, error: attempt.error };
}
