import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Person } from '../../app/person.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Row } from '../../ui/page.tsx';

type OfTenant = { tenantId: string };

export function TenantNumbers({ tenantId }: OfTenant) {
  const ledger = useLedger();
  const numbers = useList(['phone_numbers', 'of', tenantId], (api, page) =>
    api.phoneNumbers.list({ ...page, tenant_id: tenantId }),
  );
  const buy = (
    <ButtonLink to={ledgerPath(ledger, 'numbers/buy')} search={{ tenant_id: tenantId }}>
      Buy a number
    </ButtonLink>
  );
  return (
    <>
      <Row>{numbers.rows.length > 0 && buy}</Row>
      <DataList
        label="Numbers"
        list={numbers}
        tenantId={tenantId}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `numbers/${id}`)}
        columns={[
          { title: 'Number', cell: ({ phone_number }) => formatNumber(phone_number) },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'Since', cell: ({ created_at }) => <Moment at={created_at} tenantId={tenantId} />, align: 'end' },
        ]}
        empty={
          <EmptyState title="The tenant has no numbers" action={buy}>
            Its texts and calls need at least one.
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
      label="Conversations"
      list={conversations}
      tenantId={tenantId}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `inbox/${id}`)}
      columns={[
        { title: 'Person', cell: ({ external_number }) => <Person tenantId={tenantId} number={external_number} /> },
        { title: 'Latest', cell: ({ last_message_preview }) => last_message_preview, width: '2fr' },
        { title: 'Opt-out', cell: ({ opted_out }) => (opted_out ? <Badge tone="bad">opted out</Badge> : '–') },
        {
          title: 'At',
          cell: ({ last_activity_at }) => <Moment at={last_activity_at} tenantId={tenantId} />,
          align: 'end',
        },
      ]}
      empty={
        <EmptyState title="No conversations yet">
          The first text or call with a number of the tenant starts a conversation.
        </EmptyState>
      }
    />
  );
}

export function TenantKeys({ tenantId }: OfTenant) {
  const ledger = useLedger();
  const keys = useList(['api_keys', 'of', tenantId], (api, page) => api.apiKeys.list({ ...page, tenant_id: tenantId }));
  return (
    <DataList
      label="API keys"
      list={keys}
      tenantId={tenantId}
      rowId={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Ends with', cell: ({ last4 }) => <code>{last4}</code> },
        { title: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        { title: 'Expires', cell: ({ expires_at }) => <Moment at={expires_at} /> },
        { title: 'Made', cell: ({ created_at }) => <Moment at={created_at} />, align: 'end' },
      ]}
      empty={
        <EmptyState
          title="No keys of this tenant"
          action={
            <ButtonLink to={ledgerPath(ledger, 'keys')} search={{ tenant_id: tenantId }}>
              Open the API keys
            </ButtonLink>
          }
          curl={<Curl method="POST" path="/v1/api_keys" body={{ name: 'Front desk', tenant_id: tenantId }} />}
        >
          A key of one tenant reads and changes that tenant alone. Make one on the page of the API keys, or with this
          request. The key is shown once.
        </EmptyState>
      }
    />
  );
}
