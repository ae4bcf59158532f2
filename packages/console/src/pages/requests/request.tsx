import { useRead } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { ResourceLink } from '../../app/resource-link.tsx';
import { PREFIX } from '../../lib/location.ts';
import { texts } from '../../texts/requests.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { StatusCode } from './list.tsx';

const t = texts.request;

/** One request of the log. Its address is a permanent link. */
export function RequestPage() {
  const id = usePageId();
  const { data: request, error } = useRead(['request_log', id], (api) => api.requestLog.get(id));
  if (error !== null) {
    return (
      <Page title={t.request}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (request === undefined) return <Loading />;
  const { error_code } = request;
  return (
    <Page title={`${request.method} ${request.route ?? request.path}`}>
      <Card label={t.request}>
        <Facts
          facts={[
            [t.path, <code key="path">{request.path}</code>],
            [t.status, <StatusCode key="status" status={request.status} />],
            [
              t.errorCode,
              error_code === null ? undefined : (
                <a key="code" href={`${PREFIX}/docs/errors/${error_code}`} target="_blank" rel="noreferrer">
                  <code>{error_code}</code>
                </a>
              ),
            ],
            [t.took, t.ms(request.duration_ms)],
            [t.at, <Moment key="at" at={request.created_at} format="zoned" />],
            [t.keyOrSession, <code key="key">{request.api_key_id}</code>],
            [t.tenant, request.tenant_id === null ? undefined : <code key="tenant">{request.tenant_id}</code>],
            [
              t.resource,
              request.resource_id === null ? undefined : <ResourceLink key="resource" id={request.resource_id} />,
            ],
            [t.idempotencyKey, request.idempotency_key],
            [t.repeatEarlierReply, request.idempotent_replayed ? t.yes : t.no],
            [t.requestId, <code key="id">{request.id}</code>],
          ]}
        />
      </Card>
    </Page>
  );
}
