import { EVENT_TYPES } from '../../api/generated/event-types.ts';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { isId } from '../../lib/ids.ts';
import { texts } from '../../texts/events.ts';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { fixedList, TextPickField } from '../../ui/text-pick-field.tsx';

const t = texts.list;

const TYPES = fixedList(EVENT_TYPES);

/** The event log: all events of 30 days, newest first. New events appear automatically. */
export function EventsPage() {
  const ledger = useLedger();
  const [{ type, resource_id, tenant_id }, change] = useFilters();
  const query = { type, resource_id, tenant_id };
  const events = useList(['events', query], (api, page) => api.events.list({ ...query, ...page }));
  return (
    <Page title={t.events} about={t.everythingHappenedLast}>
      <FilterBar>
        <TenantFilter />
        <TextPickField
          label={t.type}
          placeholder={t.messageDelivered}
          list={TYPES}
          value={type ?? null}
          onChange={(id) => change({ type: id ?? undefined })}
        />
        <FilterText
          label={t.resource}
          placeholder={t.call}
          isWhole={isId}
          value={resource_id}
          onChange={(text) => change({ resource_id: text })}
        />
      </FilterBar>
      <DataList
        label={t.events}
        list={events}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `events/${id}`)}
        columns={[
          { title: t.type, cell: (event) => <code>{event.type}</code>, width: '1.4fr' },
          { title: t.resource, cell: (event) => <code>{event.resource_id}</code>, width: '1.8fr' },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          {
            title: t.at,
            // All times are in one zone, because some events have a tenant and others have none.
            cell: ({ created_at }) => <Moment at={created_at} format="zoned" />,
            align: 'end',
            wraps: true,
            width: '12.5rem',
          },
        ]}
        empty={
          <EmptyState title={t.noEvents} curl={<Curl path="/v1/events" />}>
            {t.eventsAppearSomething}
          </EmptyState>
        }
      />
    </Page>
  );
}
