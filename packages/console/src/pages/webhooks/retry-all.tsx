import type { WebhookReplay } from '@dialplane/sdk/resources';
import { useList, useWrite } from '../../api/queries.ts';
import { formatCount } from '../../lib/amounts.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Row } from '../../ui/page.tsx';

const t = texts.retryAll;

/** The retries have no events, so their progress is polled. */
const EVERY_MS = 2_000;

/** Tries all failed deliveries of an endpoint again, and shows the progress. */
export function RetryAll({ endpointId, isActive }: { endpointId: string; isActive: boolean }) {
  const replays = useList(
    ['webhook_endpoints', endpointId, 'replays'],
    (api, page) => api.webhookEndpoints.listReplays(endpointId, page),
    { everyMs: EVERY_MS },
  );
  const retry = useWrite((api) => api.webhookEndpoints.retryFailedDeliveries(endpointId), {
    changes: ['webhook_endpoints'],
    done: t.allFailedDeliveries,
  });
  const latest = replays.rows.find(({ retries_failed }) => retries_failed);
  const isRunning = replays.rows.some(({ status }) => status === 'running');
  return (
    <>
      <Row>
        <Button isDisabled={!isActive || isRunning} isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
          {t.retryAllFailed}
        </Button>
        {latest !== undefined && <Progress replay={latest} />}
      </Row>
      <ErrorNote error={retry.error} />
    </>
  );
}

function Progress({ replay }: { replay: WebhookReplay }) {
  const { status, delivery_count, total_count } = replay;
  const total = total_count ?? 0;
  const done = t.of(formatCount(delivery_count), formatCount(Math.max(total, delivery_count)));
  if (status !== 'running') return <span role="status">{t.wereTriedAgain(done)}</span>;
  return (
    <>
      <progress aria-label={t.deliveriesTriedAgain} max={Math.max(total, delivery_count, 1)} value={delivery_count} />
      <span role="status">{t.triedAgain(done)}</span>
    </>
  );
}
