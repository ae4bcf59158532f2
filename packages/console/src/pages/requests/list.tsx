import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { isId } from '../../lib/ids.ts';
import { texts } from '../../texts/requests.ts';
import { Badge } from '../../ui/badge.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { anyText, FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.list;

const ANY = 'any';
const isStatus = (text: string) => /^[1-5](\d\d|xx)$/.test(text);
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
/** Requests have no events, so the list is polled. */
const EVERY_MS = 3_000;
const NAMES = ['tenant_id', 'method', 'route', 'status', 'error_code', 'resource_id'] as const;

/**
 * The request log: the requests of the last days, newest first, without their bodies. New requests appear
 * automatically.
 */
export function RequestsPage() {
  const ledger = useLedger();
  const [filters, change] = useFilters();
  const query = Object.fromEntries(
    NAMES.map((name) => [name, filters[name]]).filter(([, value]) => value !== undefined),
  );
  const requests = useList(['request_log', query], (api, page) => api.requestLog.list({ ...query, ...page }), {
    everyMs: EVERY_MS,
  });
  const typed = (name: (typeof NAMES)[number]) => ({
    value: filters[name],
    onChange: (text: string | undefined) => change({ [name]: text }),
  });
  return (
    <Page title={t.requests} about={t.whatYourServers}>
      <FilterBar>
        <TenantFilter />
        <Select
          label={t.method}
          options={[{ id: ANY, text: t.any }, ...METHODS.map((id) => ({ id, text: id }))]}
          value={filters['method'] ?? ANY}
          onChange={(id) => change({ method: id === ANY ? undefined : id })}
        />
        <FilterText label={t.status} placeholder={t.statusExample} isWhole={isStatus} {...typed('status')} />
        <FilterText label={t.errorCode} placeholder={t.recipientOptedOut} isWhole={anyText} {...typed('error_code')} />
        <FilterText label={t.route} placeholder={t.v1Messages} isWhole={anyText} {...typed('route')} />
        <FilterText label={t.resource} placeholder={t.messageId} isWhole={isId} {...typed('resource_id')} />
      </FilterBar>
      <DataList
        label={t.requests}
        list={requests}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `requests/${id}`)}
        columns={[
          {
            title: t.request,
            cell: ({ method, path }) => (
              <code>
                {method} {path}
              </code>
            ),
            width: '3fr',
          },
          { title: t.status, cell: ({ status }) => <StatusCode status={status} />, width: '0.6fr' },
          { title: t.errorCode, cell: ({ error_code }) => (error_code === null ? '–' : <code>{error_code}</code>) },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          { title: t.took, cell: ({ duration_ms }) => t.ms(duration_ms), width: '0.6fr' },
          {
            title: t.at,
            cell: ({ created_at }) => <Moment at={created_at} format="zoned" />,
            wraps: true,
            align: 'end',
            width: '12.5rem',
          },
        ]}
        empty={
          <EmptyState title={t.noRequests} curl={<Curl path="/v1/tenants" />}>
            {t.eachRequestValid}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** An HTTP status, in the colour of its class. */
export function StatusCode({ status }: { status: number }) {
  return <Badge tone={status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>;
}
