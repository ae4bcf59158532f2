import type { WebhookDelivery, WebhookEndpoint } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { texts as t } from '../../texts/failing.ts';
import { Moment } from '../../ui/moment.tsx';
import { rich } from '../../ui/rich.tsx';

/** The rate of errors of an endpoint is computed from this many of its latest deliveries. */
const LATEST_MAX = 50;
/** Attempts have no events, so they are polled. */
const EVERY_MS = 15_000;

/** True if the endpoint answers with errors, or was turned off because of errors. */
export function isFailing({ status, failing_since, disabled_reason }: WebhookEndpoint): boolean {
  if (status === 'active') return failing_since !== null;
  return disabled_reason === 'failing' || disabled_reason === 'gone';
}

export type EndpointState = WebhookEndpoint['status'] | 'failing';

/** The state of an endpoint that is active but fails is `failing`. */
export function stateOf(endpoint: WebhookEndpoint): EndpointState {
  return endpoint.status === 'active' && isFailing(endpoint) ? 'failing' : endpoint.status;
}

/** How many of the latest deliveries failed, the last answer, and the time since which nothing was accepted. */
export function Failing({ endpoint: { id, failing_since } }: { endpoint: WebhookEndpoint }) {
  const { data } = useRead(
    ['webhook_endpoints', id, 'latest'],
    (api) => api.webhookEndpoints.listDeliveries(id, { limit: LATEST_MAX }),
    { everyMs: EVERY_MS },
  );
  const attempted = data?.data.filter(({ attempts }) => attempts.length > 0) ?? [];
  const failed = attempted.filter(({ status }) => status !== 'delivered').length;
  return (
    <span>
      {attempted.length > 0 && t.lastFailedLast(failed, attempted.length, latestAnswer(attempted))}
      {failing_since !== null && (
        <>
          {attempted.length > 0 && ', '}
          {rich(t.since, <Moment at={failing_since} format="zoned" />)}
        </>
      )}
    </span>
  );
}

/** Returns the latest answer among the attempts of all deliveries. */
function latestAnswer(deliveries: readonly WebhookDelivery[]): string {
  const attempts = deliveries.map(({ attempts: all }) => all.at(-1)).filter((attempt) => attempt !== undefined);
  const latest = attempts.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1);
  return latest === undefined ? '–' : answerOf(latest);
}

/** Returns the status of an answer, or the reason why there was none. */
export function answerOf({ response_status, error }: WebhookDelivery['attempts'][number]): string {
  return response_status === null ? (error ?? t.noAnswer) : String(response_status);
}
