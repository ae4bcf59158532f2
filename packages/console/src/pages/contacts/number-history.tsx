import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { NumberName } from '../../app/number-field.tsx';
import { formatLength } from '../../lib/dates.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Badge, Status, words } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Row, Section } from '../../ui/page.tsx';

type HistoryProps = { tenantId: string; number: string };

/** The conversations of a tenant with a number, and the calls. */
export function NumberHistory({ tenantId, number }: HistoryProps) {
  const ledger = useLedger();
  const shown = formatNumber(number);
  return (
    <Section title={shown}>
      <Conversations tenantId={tenantId} number={number} />
      <Calls tenantId={tenantId} number={number} />
      <Row>
        <ButtonLink small to={ledgerPath(ledger, 'inbox/new')} search={{ tenant_id: tenantId }}>
          Write a text
        </ButtonLink>
      </Row>
    </Section>
  );
}

function Conversations({ tenantId, number }: HistoryProps) {
  const ledger = useLedger();
  const query = { tenant_id: tenantId, external_number: number };
  const list = useList(['conversations', query], (api, page) => api.conversations.list({ ...query, ...page }));
  return (
    <DataList
      label={`Conversations with ${formatNumber(number)}`}
      list={list}
      tenantId={tenantId}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `inbox/${id}`)}
      columns={[
        {
          title: 'Latest',
          cell: ({ last_message_preview }) => last_message_preview || 'The conversation',
          width: '2fr',
        },
        { title: 'Your number', cell: ({ phone_number_id }) => <NumberName id={phone_number_id} /> },
        { title: 'Opt-out', cell: ({ opted_out }) => (opted_out ? <Badge tone="bad">opted out</Badge> : '–') },
        { title: 'At', cell: (row) => <Moment at={row.last_activity_at} tenantId={tenantId} />, align: 'end' },
      ]}
      empty={<p>No conversations with this number.</p>}
    />
  );
}

function Calls({ tenantId, number }: HistoryProps) {
  const ledger = useLedger();
  const query = { tenant_id: tenantId, external_number: number };
  const list = useList(['calls', query], (api, page) => api.calls.list({ ...query, ...page }));
  return (
    <DataList
      label={`Calls with ${formatNumber(number)}`}
      list={list}
      tenantId={tenantId}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `calls/${id}`)}
      columns={[
        { title: 'Direction', cell: ({ direction }) => words(direction) },
        { title: 'Status', cell: ({ status, outcome }) => <Status status={outcome ?? status} /> },
        { title: 'Length', cell: ({ duration_seconds }) => formatLength(duration_seconds ?? 0) },
        { title: 'Began', cell: ({ started_at }) => <Moment at={started_at} tenantId={tenantId} />, align: 'end' },
      ]}
      empty={<p>No calls with this number.</p>}
    />
  );
}
