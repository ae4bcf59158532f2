import type { Call } from '@dialplane/sdk/resources';
import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { Agent } from '../../app/agent.tsx';
import { type Filters, useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Person } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { formatLength } from '../../lib/dates.ts';
import { NUMBER_FILTER } from '../../lib/numbers.ts';
import { texts } from '../../texts/calls.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { PlaceCall } from '../inbox/place-call.tsx';

const t = texts.list;

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
    <Page title={t.calls} about={t.openCallSee} actions={<NewCall />}>
      <CallFilters filters={filters} onChange={setFilters} />
      <DataList
        label={t.calls}
        list={calls}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `calls/${id}`)}
        columns={[
          {
            title: t.with,
            cell: (call) => <Person tenantId={call.tenant_id} number={otherOf(call)} callerName={call.caller_name} />,
            width: '1.8fr',
          },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          { title: t.direction, cell: ({ direction }) => words(direction) },
          { title: t.status, cell: ({ status, outcome }) => <Status status={outcome ?? status} /> },
          {
            title: t.answeredBy,
            cell: ({ answered_by, tenant_id }) =>
              answered_by === null ? '–' : <Agent tenantId={tenant_id} party={answered_by} />,
          },
          { title: t.length, cell: ({ duration_seconds }) => formatLength(duration_seconds ?? 0), width: '0.6fr' },
          { title: t.began, cell: (call) => <Moment at={call.started_at} tenantId={call.tenant_id} />, align: 'end' },
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
      options={[{ id: ANY, text: t.any }, ...values.map((id) => ({ id, text: words(id) }))]}
      value={filters[name] ?? ANY}
      onChange={(chosen) => onChange({ [name]: chosen === ANY ? undefined : chosen })}
    />
  );
  return (
    <FilterBar>
      <TenantFilter />
      {choice('status', t.status, STATUSES)}
      {choice('outcome', t.outcome, OUTCOMES)}
      {choice('direction', t.direction, DIRECTIONS)}
      {choice('route_reason', t.route, ROUTE_REASONS)}
      <FilterText
        label={t.number}
        {...NUMBER_FILTER}
        value={filters['external_number']}
        onChange={(external_number) => onChange({ external_number })}
      />
    </FilterBar>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title={t.noCallLike}>{t.changeFiltersAbove}</EmptyState>;
  const body = { from: 'num_…', connect_to: '+16025550120', to: '+16025550144', transcribe: true };
  return (
    <EmptyState title={t.noCallsYet} curl={<Curl method="POST" path="/v1/calls" body={body} />}>
      {t.placeCallHere}
    </EmptyState>
  );
}

/** A button that asks for the parties of a call, and places it. */
function NewCall() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" onPress={() => setAsking(true)}>
        <PhoneCall aria-hidden /> {texts.newCall.newCall}
      </Button>
      <PlaceCall isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
