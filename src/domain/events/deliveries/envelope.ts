/** An event as deliveries need it: `payload` is the stored JSON text of `data`, so that its bytes never change. */
export type StoredEvent = {
  event_id: string;
  type: string;
  created_at: Date;
  tenant_id: string | null;
  resource_id: string;
  sequence: number;
  payload: string;
};

/**
 * The body of a delivery: the envelope as JSON, the same bytes at every attempt.
 * @param eventVersion the version that the endpoint was made with
 */
export function renderEnvelope(event: StoredEvent, eventVersion: string): string {
  const head = JSON.stringify({
    id: event.event_id,
    object: 'event',
    type: event.type,
    event_version: eventVersion,
    created_at: event.created_at,
    tenant_id: event.tenant_id,
    resource_id: event.resource_id,
    sequence: event.sequence,
  });
  return `${head.slice(0, -1)},"data":${event.payload}}`;
}
