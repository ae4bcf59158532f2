import { useRead } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { usePageId } from '../../app/ledger.ts';
import { PREFIX } from '../../lib/location.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { StatusCode } from './list.tsx';

/** One request of the log. Its address is a permanent link. */
export function RequestPage() {
  const id = usePageId();
  const { data: request, error } = useRead(['request_log', id], (api) => api.requestLog.get(id));
  if (error !== null) {
    return (
      <Page title="Request">
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (request === undefined) return <Loading />;
  const { error_code } = request;
  return (
    <Page title={`${request.method} ${request.route ?? request.path}`}>
      <Card label="Request">
        <Facts
          facts={[
            ['Path', <code key="path">{request.path}</code>],
            ['Status', <StatusCode key="status" status={request.status} />],
            [
              'Error code',
              error_code === null ? undefined : (
                <a key="code" href={`${PREFIX}/docs/errors/${error_code}`} target="_blank" rel="noreferrer">
                  <code>{error_code}</code>
                </a>
              ),
            ],
            ['Took', `${request.duration_ms} ms`],
            ['At', <Moment key="at" at={request.created_at} format="zoned" />],
            ['Key or session', <code key="key">{request.api_key_id}</code>],
            ['Tenant', request.tenant_id === null ? undefined : <code key="tenant">{request.tenant_id}</code>],
            ['Idempotency-Key', request.idempotency_key],
            ['A repeat of an earlier reply', request.idempotent_replayed ? 'yes' : 'no'],
            ['Request id', <code key="id">{request.id}</code>],
          ]}
        />
      </Card>
    </Page>
  );
}
