import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Person } from '../../app/person.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { previewText } from '../../lib/previews.ts';
import { texts } from '../../texts/tenants.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Row } from '../../ui/page.tsx';

const t = texts.tenantThings;

type OfTenant = { tenantId: string };

export function TenantNumbers({ tenantId }: OfTenant) {
  const ledger = useLedger();
  const numbers = useList(['phone_numbers', 'of', tenantId], (api, page) =>
    api.phoneNumbers.list({ ...page, tenant_id: tenantId }),
  );
  const buy = (
    <ButtonLink to={ledgerPath(ledger, 'numbers/buy')} search={{ tenant_id: tenantId }}>
      {t.buyANumber}
    </ButtonLink>
  );
  return (
    <>
      <Row>{numbers.rows.length > 0 && buy}</Row>
      <DataList
        label={t.numbers}
        list={numbers}
        tenantId={tenantId}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `numbers/${id}`)}
        columns={[
          { title: t.number, cell: ({ phone_number }) => formatNumber(phone_number) },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          { title: t.since, cell: ({ created_at }) => <Moment at={created_at} tenantId={tenantId} />, align: 'end' },
        ]}
        empty={
          <EmptyState title={t.tenantNoNumbers} action={buy}>
            {t.textsCallsNeed}
          </EmptyState>
        }
      />
    </>
  );
}

export function TenantConversations({ tenantId }: OfTenant) {
  const ledger = useLedger();
  const conversations = useList(['conversations', { tenant_id: tenantId }], (api, page) =>
    api.conversations.list({ ...page, tenant_id: tenantId }),
  );
  return (
    <DataList
      label={t.conversations}
      list={conversations}
      tenantId={tenantId}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `inbox/${id}`)}
      columns={[
        { title: t.person, cell: ({ external_number }) => <Person tenantId={tenantId} number={external_number} /> },
        { title: t.latest, cell: (conversation) => previewText(conversation), width: '2fr' },
        { title: t.optOut, cell: ({ opted_out }) => (opted_out ? <Badge tone="bad">{t.optedOut}</Badge> : '–') },
        {
          title: t.at,
          cell: ({ last_activity_at }) => <Moment at={last_activity_at} tenantId={tenantId} />,
          align: 'end',
        },
      ]}
      empty={<EmptyState title={t.noConversationsYet}>{t.firstTextCall}</EmptyState>}
    />
  );
}

export function TenantKeys({ tenantId }: OfTenant) {
  const ledger = useLedger();
  const keys = useList(['api_keys', 'of', tenantId], (api, page) => api.apiKeys.list({ ...page, tenant_id: tenantId }));
  return (
    <DataList
      label={t.apiKeys}
      list={keys}
      tenantId={tenantId}
      rowId={({ id }) => id}
      columns={[
        { title: t.name, cell: ({ name }) => name },
        { title: t.endsWith, cell: ({ last4 }) => <code>{last4}</code> },
        { title: t.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        { title: t.expires, cell: ({ expires_at }) => <Moment at={expires_at} /> },
        { title: t.made, cell: ({ created_at }) => <Moment at={created_at} />, align: 'end' },
      ]}
      empty={
        <EmptyState
          title={t.noKeysTenant}
          action={
            <ButtonLink to={ledgerPath(ledger, 'keys')} search={{ tenant_id: tenantId }}>
              {t.openApiKeys}
            </ButtonLink>
          }
          curl={<Curl method="POST" path="/v1/api_keys" body={{ name: t.frontDesk, tenant_id: tenantId }} />}
        >
          {t.keyOneTenant}
        </EmptyState>
      }
    />
  );
}
