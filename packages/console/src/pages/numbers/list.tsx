import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/numbers.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.list;

/** All numbers of the account, or of one tenant. */
export function NumbersPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const numbers = useList(['phone_numbers', 'of', tenant_id], (api, page) =>
    api.phoneNumbers.list({ ...page, tenant_id }),
  );
  const buy = (
    <ButtonLink
      kind="primary"
      to={ledgerPath(ledger, 'numbers/buy')}
      {...(tenant_id !== undefined && { search: { tenant_id } })}
    >
      <Plus aria-hidden /> {t.buyANumber}
    </ButtonLink>
  );
  return (
    <Page title={t.numbers} about={t.telephoneNumbersYour} actions={buy}>
      <TenantFilterBar />
      <DataList
        label={t.numbers}
        list={numbers}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `numbers/${id}`)}
        columns={[
          { title: t.number, cell: ({ phone_number }) => formatNumber(phone_number) },
          { title: t.tenant, cell: (number) => <TenantName id={number.tenant_id} /> },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          {
            title: t.texts,
            cell: ({ messaging_ready, capabilities, campaign_id }) =>
              capabilities.includes('sms') ? (
                <Ready isReady={messaging_ready} isTest={ledger.mode === 'test' && campaign_id === null} />
              ) : (
                t.voiceOnly
              ),
          },
          {
            title: t.since,
            cell: ({ created_at, tenant_id: owner }) => <Moment at={created_at} tenantId={owner} />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noNumbersYet : t.tenantNoNumbers}
            curl={<Curl path="/v1/phone_numbers/available?area_code=602" />}
          >
            {t.searchAreaCode}
          </EmptyState>
        }
      />
    </Page>
  );
}

function Ready({ isReady, isTest }: { isReady: boolean; isTest: boolean }) {
  if (!isReady && isTest) return <Badge tone="info">{t.inTestMode}</Badge>;
  return <Badge tone={isReady ? 'ok' : 'warn'}>{isReady ? t.ready : t.notReady}</Badge>;
}
