import type { Context } from '../../../context.ts';
import type { Mode } from '../../../lib/scope.ts';
import { monotonicMs } from '../../../lib/time/time.ts';
import type { OutboundResponse } from '../../../outbound/exchange.ts';
import { toOutboundError } from '../../../outbound/outbound-error.ts';
import type { StoredEvent } from './lane-queries.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  type AttemptResult,
  explainStatus,
  type HeaderTexts,
  labelOf,
  RESPONSE_BYTES_MAX,
  shownHeaders,
} from './rules.ts';
import { signDelivery } from './signature.ts';
import type { Target } from './targets.ts';

/**
 * Returns the body of a delivery: the envelope as JSON, the same bytes at every attempt.
 * @param eventVersion the version from the creation of the endpoint
 */
export function renderEnvelope(event: Omit<StoredEvent, 'traceparent'>, eventVersion: string): string {
  const text = JSON.stringify;
  // Concatenated, because every delivery does this and `JSON.stringify` of an object costs more than twice as much.
  const what = `"id":${text(event.event_id)},"object":"event","type":${text(event.type)},"event_version":${text(eventVersion)}`;
  const when = `"created_at":"${event.created_at.toISOString()}"`;
  const whose = `"tenant_id":${text(event.tenant_id)},"resource_id":${text(event.resource_id)}`;
  return `{${what},${when},${whose},"sequence":${event.sequence},"data":${event.payload}}`;
}

type Delivery = { eventId: string; body: string; mode: Mode; traceparent: string | null };

/** The headers that are the same at every attempt to deliver an event. */
const SAME_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Dialplane-Webhooks/1' } as const;

/** Returns the headers that every attempt to deliver the event has, by lower-case name. */
export function sameHeadersOf(eventId: string): HeaderTexts {
  return {
    'content-type': SAME_HEADERS['Content-Type'],
    'user-agent': SAME_HEADERS['User-Agent'],
    'webhook-id': eventId,
  };
}

/**
 * Sends one delivery, signed with the wall time, and waits for its reply. Never throws: an unreachable target is a
 * result. `aborted` means that this process is stopping; that is not a result of the receiver.
 */
export async function attemptDelivery(
  { outbound, clock, metrics }: Pick<Context, 'outbound' | 'clock' | 'metrics'>,
  target: Target,
  { eventId, body, mode, traceparent }: Delivery,
): Promise<AttemptResult> {
  const startedMs = clock.now();
  const started = monotonicMs();
  let sentHeaders: HeaderTexts = {};
  const finish = (
    result: Omit<AttemptResult, 'attempt'>,
    { response, error }: { response?: OutboundResponse; error: string | null },
  ) => {
    const durationMs = monotonicMs() - started;
    metrics.deliveries.observe({ result: result.label }, durationMs / 1000);
    const attempt = {
      at: new Date(startedMs + target.clockOffsetMs).toISOString(),
      url: target.url,
      request_headers: keptHeaders(sentHeaders, result.label),
      response_status: response?.status ?? null,
      duration_ms: Math.round(durationMs),
      error,
      response_headers: response === undefined ? null : shownHeaders(response.headers),
      response_body: response === undefined ? null : shownBody(response.body),
    };
    return { ...result, attempt };
  };
  try {
    const timestampS = Math.floor(startedMs / 1000);
    const signers = target.signersAt(startedMs);
    const bytes = Buffer.from(body);
    sentHeaders = {
      ...(traceparent !== null && { traceparent }),
      ...signDelivery({ eventId, body: bytes, signers, timestampS }),
    };
    const response = await outbound[mode].request({
      method: 'POST',
      url: target.url,
      headers: { ...SAME_HEADERS, ...sentHeaders },
      body: bytes,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxResponseBytes: RESPONSE_BYTES_MAX,
    });
    const { status, headers } = response;
    return finish(
      { label: labelOf(status), retryAfter: headers['retry-after'] },
      { response, error: explainStatus(status) },
    );
  } catch (error) {
    const failure = toOutboundError(error);
    return finish({ label: failure.kind, retryAfter: undefined }, { error: failure.message });
  }
}

/**
 * Returns the headers of a request that are stored with its attempt. The signatures are most of the text and are only
 * needed if the receiver refused them, so an accepted delivery is stored without them.
 */
function keptHeaders(
  {
    'webhook-timestamp': timestamp = '',
    'webhook-signature': standard = '',
    'Service-Signature': service = '',
    traceparent,
  }: HeaderTexts,
  label: AttemptResult['label'],
): HeaderTexts {
  return {
    'webhook-timestamp': timestamp,
    ...(traceparent !== undefined && { traceparent }),
    ...(label !== 'delivered' && { 'service-signature': service, 'webhook-signature': standard }),
  };
}

/** Returns the beginning of a reply as text that the database can store; null if it was empty. */
function shownBody(body: Buffer): string | null {
  return body.length === 0 ? null : body.toString('utf8').replaceAll('\0', '\ufffd');
}
