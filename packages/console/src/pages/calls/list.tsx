import type { Call } from '@dialplane/sdk/resources';
import { useList } from '../../api/queries.ts';
import { type Filters, useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Person } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { formatLength } from '../../lib/dates.ts';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { NewCall } from './new-call.tsx';

const ANY = 'any';
const STATUSES = ['dialing', 'ringing', 'in_progress', 'completed', 'failed', 'missed'] as const;
const OUTCOMES = [
  'answered',
  'voicemail',
  'missed',
  'no_answer',
  'busy',
  'canceled',
  'failed',
  'no_application',
] as const satisfies readonly Call['outcome'][];
const ROUTE_REASONS = [
  'answered',
  'no_answer',
  'closed',
  'no_routing',
  'unreachable',
  'overflow',
] as const satisfies readonly NonNullable<Call['route']>['reason'][];
const DIRECTIONS = ['inbound', 'outbound'] as const;
const NAMES = [
  'status',
  'outcome',
  'direction',
  'route_reason',
  'external_number',
  'tenant_id',
  'phone_number_id',
] as const;

/** All calls, the newest first. Calls that ring or talk update automatically. */
export function CallsPage() {
  const ledger = useLedger();
  const [filters, setFilters] = useFilters();
  const query = Object.fromEntries(
    NAMES.map((name) => [name, filters[name]]).filter(([, value]) => value !== undefined),
  );
  const calls = useList(['calls', query], (api, page) => api.calls.list({ ...query, ...page }));
  return (
    <Page
      title="Calls"
      about="Open a call to see who rang when, and to play its recording with the transcript."
      actions={<NewCall />}
    >
      <CallFilters filters={filters} onChange={setFilters} />
      <DataList
        label="Calls"
        list={calls}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `calls/${id}`)}
        columns={[
          {
            title: 'With',
            cell: (call) => <Person tenantId={call.tenant_id} number={otherOf(call)} callerName={call.caller_name} />,
            width: '1.8fr',
          },
          { title: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          { title: 'Direction', cell: ({ direction }) => words(direction) },
          { title: 'Status', cell: ({ status, outcome }) => <Status status={outcome ?? status} /> },
          { title: 'Answered by', cell: ({ answered_by }) => (answered_by === null ? '–' : formatNumber(answered_by)) },
          { title: 'Length', cell: ({ duration_seconds }) => formatLength(duration_seconds ?? 0), width: '0.6fr' },
          { title: 'Began', cell: (call) => <Moment at={call.started_at} tenantId={call.tenant_id} />, align: 'end' },
        ]}
        empty={<NoCalls isFiltered={Object.keys(query).length > 0} />}
      />
    </Page>
  );
}

/** Returns the party that is not the tenant's number. */
export function otherOf({ direction, from, to }: Call): string {
  return direction === 'inbound' ? from : to;
}

type CallFiltersProps = { filters: Filters; onChange: (change: Filters) => void };

function CallFilters({ filters, onChange }: CallFiltersProps) {
  const choice = (name: string, label: string, values: readonly string[]) => (
    <Select
      label={label}
      options={[{ id: ANY, text: 'Any' }, ...values.map((id) => ({ id, text: words(id) }))]}
      value={filters[name] ?? ANY}
      onChange={(chosen) => onChange({ [name]: chosen === ANY ? undefined : chosen })}
    />
  );
  return (
    <FilterBar>
      <TenantFilter />
      {choice('status', 'Status', STATUSES)}
      {choice('outcome', 'Outcome', OUTCOMES)}
      {choice('direction', 'Direction', DIRECTIONS)}
      {choice('route_reason', 'Route', ROUTE_REASONS)}
      <FilterText
        label="Number"
        placeholder="+16025550143"
        parse={e164Of}
        value={filters['external_number']}
        onChange={(external_number) => onChange({ external_number })}
      />
    </FilterBar>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No call is like this">Change the filters above.</EmptyState>;
  const body = { from: 'num_…', connect_to: '+16025550120', to: '+16025550144', transcribe: true };
  return (
    <EmptyState title="No calls yet" curl={<Curl method="POST" path="/v1/calls" body={body} />}>
      Place a call here or in a conversation of the inbox: it rings your telephone first, then the customer. In test
      mode you can also call one of your numbers from a dev phone.
    </EmptyState>
  );
}
