import type { Campaign } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/compliance.ts';
import { words } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { CampaignList } from './campaign-list.tsx';
import { EXAMPLE_CAMPAIGN } from './texts.ts';

const t = texts.campaigns;

const STATUSES = ['draft', 'pending_review', 'approved', 'rejected', 'suspended'] as const;
const ANY = 'any';

/** All campaigns of the account, by tenant and status. */
export function CampaignsPage() {
  const ledger = useLedger();
  const [{ tenant_id, status }, setFilters] = useFilters();
  const filter = {
    ...(tenant_id !== undefined && { tenant_id }),
    ...(status !== undefined && { status: status as Campaign['status'] }),
  };
  const campaigns = useList(['campaigns', filter], (api, page) => api.campaigns.list({ ...filter, ...page }));
  const create = (
    <ButtonLink kind="primary" to={ledgerPath(ledger, 'campaigns/new')}>
      <Plus aria-hidden /> {t.newCampaign}
    </ButtonLink>
  );
  return (
    <Page title={t.campaigns} about={t.whatSentWhom} actions={create}>
      <FilterBar>
        <TenantFilter />
        <Select
          label={t.status}
          options={[{ id: ANY, text: t.any }, ...STATUSES.map((id) => ({ id, text: words(id) }))]}
          value={status ?? ANY}
          onChange={(id) => setFilters({ status: id === ANY ? undefined : id })}
        />
      </FilterBar>
      <CampaignList
        list={campaigns}
        empty={
          tenant_id === undefined && status === undefined ? (
            <EmptyState
              title={t.noCampaignsYet}
              curl={<Curl method="POST" path="/v1/campaigns" body={EXAMPLE_CAMPAIGN} />}
            >
              {t.campaignTellsUs}
            </EmptyState>
          ) : (
            <EmptyState title={t.noCampaignMatches}>{t.chooseAnotherTenant}</EmptyState>
          )
        }
      />
    </Page>
  );
}
