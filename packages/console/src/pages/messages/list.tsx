import type { ListMessagesQuery, Message } from '@dialplane/sdk/resources';
import { useList } from '../../api/queries.ts';
import { type Filters, useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Person } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { formatNumber, NUMBER_FILTER } from '../../lib/numbers.ts';
import { texts } from '../../texts/messages.ts';
import { Status, words } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.list;

const ANY = 'any';
const STATUSES = ['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled', 'received'] as const;
const DIRECTIONS = ['inbound', 'outbound'] as const;

/** Texts of all conversations, by tenant, status, direction, numbers and day. */
export function MessagesPage() {
  const ledger = useLedger();
  const [filters] = useFilters();
  const query = queryOf(filters);
  const messages = useList(['messages', 'list', query], (api, page) => api.messages.list({ ...query, ...page }));
  return (
    <Page
      title={t.texts}
      about={t.textsAllConversations}
      actions={<ButtonLink to={ledgerPath(ledger, 'inbox/new')}>{t.writeAText}</ButtonLink>}
    >
      <MessageFilters />
      <DataList
        label={t.texts}
        list={messages}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `messages/${id}`)}
        columns={[
          {
            title: t.text,
            cell: ({ body, media }) => body || t.files(media.length),
            width: '2.2fr',
          },
          { title: t.from, cell: (row) => partyOf(row, 'from'), width: '1.35fr' },
          { title: t.to, cell: (row) => partyOf(row, 'to'), width: '1.35fr' },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} />, width: '1.3fr' },
          { title: t.status, cell: ({ status }) => <Status status={status} />, width: '0.8fr' },
          {
            title: t.at,
            cell: ({ status, send_at, created_at, tenant_id }) => (
              <Moment at={status === 'scheduled' ? send_at : created_at} tenantId={tenant_id} />
            ),
            align: 'end',
            width: '0.9fr',
          },
        ]}
        empty={<NoMessages isFiltered={Object.values(query).some((value) => value !== undefined)} />}
      />
    </Page>
  );
}

/** The person by name and number, or the tenant's own number. */
function partyOf(message: Message, end: 'from' | 'to') {
  const isPerson = (message.direction === 'inbound') === (end === 'from');
  return isPerson ? <Person tenantId={message.tenant_id} number={message[end]} /> : formatNumber(message[end]);
}

function queryOf({ tenant_id, status, direction, from, to, start, end }: Filters): ListMessagesQuery {
  return {
    tenant_id,
    status: STATUSES.find((each) => each === status),
    direction: DIRECTIONS.find((each) => each === direction),
    from,
    to,
    start,
    end,
  };
}

const options = (ids: readonly string[]) => [{ id: ANY, text: t.any }, ...ids.map((id) => ({ id, text: words(id) }))];

function MessageFilters() {
  const [filters, change] = useFilters();
  const chosen = (name: string) => (id: string) => change({ [name]: id === ANY ? undefined : id });
  const typed = (name: string) => (text: string) => change({ [name]: text === '' ? undefined : text });
  return (
    <FilterBar>
      <TenantFilter />
      <Select label={t.status} options={options(STATUSES)} value={filters.status ?? ANY} onChange={chosen('status')} />
      <Select
        label={t.direction}
        options={options(DIRECTIONS)}
        value={filters.direction ?? ANY}
        onChange={chosen('direction')}
      />
      <FilterText label={t.from} {...NUMBER_FILTER} value={filters.from} onChange={(from) => change({ from })} />
      <FilterText label={t.to} {...NUMBER_FILTER} value={filters.to} onChange={(to) => change({ to })} />
      <TextField label={t.since} type="date" value={filters.start ?? ''} onChange={typed('start')} />
      <TextField label={t.before} type="date" value={filters.end ?? ''} onChange={typed('end')} />
    </FilterBar>
  );
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title={t.noTextMatches}>{t.chooseAnotherStatus}</EmptyState>;
  return (
    <EmptyState
      title={t.noTextsYet}
      curl={<Curl method="POST" path="/v1/messages" body={{ from: 'num_…', to: '+16025550143', body: t.seeYou10 }} />}
    >
      {t.writeFirstOne}
    </EmptyState>
  );
}
