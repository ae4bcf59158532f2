import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { NumberName } from '../../app/number-field.tsx';
import { formatLength } from '../../lib/dates.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { previewText } from '../../lib/previews.ts';
import { texts } from '../../texts/contacts.ts';
import { Badge, Status, words } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Row, Section } from '../../ui/page.tsx';

const t = texts.numberHistory;

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
          {t.writeAText}
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
      label={t.conversationsWith(formatNumber(number))}
      list={list}
      tenantId={tenantId}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `inbox/${id}`)}
      columns={[
        {
          title: t.latest,
          cell: (conversation) => previewText(conversation) || t.theConversation,
          width: '2fr',
        },
        { title: t.yourNumber, cell: ({ phone_number_id }) => <NumberName id={phone_number_id} /> },
        { title: t.optOut, cell: ({ opted_out }) => (opted_out ? <Badge tone="bad">{t.optedOut}</Badge> : '–') },
        { title: t.at, cell: (row) => <Moment at={row.last_activity_at} tenantId={tenantId} />, align: 'end' },
      ]}
      empty={<p>{t.noConversationsNumber}</p>}
    />
  );
}

function Calls({ tenantId, number }: HistoryProps) {
  const ledger = useLedger();
  const query = { tenant_id: tenantId, external_number: number };
  const list = useList(['calls', query], (api, page) => api.calls.list({ ...query, ...page }));
  return (
    <DataList
      label={t.callsWith(formatNumber(number))}
      list={list}
      tenantId={tenantId}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `calls/${id}`)}
      columns={[
        { title: t.direction, cell: ({ direction }) => words(direction) },
        { title: t.status, cell: ({ status, outcome }) => <Status status={outcome ?? status} /> },
        { title: t.length, cell: ({ duration_seconds }) => formatLength(duration_seconds ?? 0) },
        { title: t.began, cell: ({ started_at }) => <Moment at={started_at} tenantId={tenantId} />, align: 'end' },
      ]}
      empty={<p>{t.noCallsNumber}</p>}
    />
  );
}
