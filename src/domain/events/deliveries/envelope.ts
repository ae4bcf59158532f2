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
  const text = JSON.stringify;
  // Put together by hand: every delivery does this, and an object for `JSON.stringify` costs more than twice as much.
  const what = `"id":${text(event.event_id)},"object":"event","type":${text(event.type)},"event_version":${text(eventVersion)}`;
  const when = `"created_at":"${event.created_at.toISOString()}"`;
  const whose = `"tenant_id":${text(event.tenant_id)},"resource_id":${text(event.resource_id)}`;
  return `{${what},${when},${whose},"sequence":${event.sequence},"data":${event.payload}}`;
}
