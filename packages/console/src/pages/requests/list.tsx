import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const ANY = 'any';
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
/** No event says that a request came. */
const EVERY_MS = 3_000;
const NAMES = ['tenant_id', 'method', 'route', 'status', 'error_code'] as const;

/** The request log: the requests of the last days, newest first, without their bodies. New ones appear by themselves. */
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
    <Page
      title="Requests"
      about="What your servers asked of the API, and what this console changed there, without bodies."
    >
      <FilterBar>
        <TenantFilter />
        <Select
          label="Method"
          options={[{ id: ANY, text: 'Any' }, ...METHODS.map((id) => ({ id, text: id }))]}
          value={filters['method'] ?? ANY}
          onChange={(id) => change({ method: id === ANY ? undefined : id })}
        />
        <FilterText label="Status" placeholder="422 or 4xx" {...typed('status')} />
        <FilterText label="Error code" placeholder="recipient_opted_out" {...typed('error_code')} />
        <FilterText label="Route" placeholder="/v1/messages" {...typed('route')} />
      </FilterBar>
      <DataList
        label="Requests"
        list={requests}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `requests/${id}`)}
        columns={[
          {
            title: 'Request',
            cell: ({ method, path }) => (
              <code>
                {method} {path}
              </code>
            ),
            width: '3fr',
          },
          { title: 'Status', cell: ({ status }) => <StatusCode status={status} />, width: '0.6fr' },
          { title: 'Error code', cell: ({ error_code }) => (error_code === null ? '–' : <code>{error_code}</code>) },
          { title: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms`, width: '0.6fr' },
          {
            title: 'At',
            cell: ({ created_at }) => <Moment at={created_at} format="zoned" />,
            wraps: true,
            align: 'end',
            width: '12.5rem',
          },
        ]}
        empty={
          <EmptyState title="No requests" curl={<Curl path="/v1/tenants" />}>
            Each request with a valid key appears here. With a filter above, none is like it.
          </EmptyState>
        }
      />
    </Page>
  );
}

/** A status of HTTP, in the colour of its kind. */
export function StatusCode({ status }: { status: number }) {
  return <Badge tone={status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>;
}
