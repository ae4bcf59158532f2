import type { CreateCampaign } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/compliance.ts';
import { Card, Page } from '../../ui/page.tsx';
import { bodyOf, type CampaignDraft } from './campaign-draft.ts';
import { CampaignForm } from './campaign-form.tsx';

const t = texts.newCampaign;

const EMPTY: CampaignDraft = {
  tenant_id: null,
  brand_id: null,
  use_case: 'customer_care',
  description: '',
  sample_messages: ['', ''],
  opt_in_description: '',
};

/** Creates a campaign as a draft. `?brand=` and `?tenant_id=` choose the brand and the tenant. */
export function NewCampaignPage() {
  const [{ brand, tenant_id }] = useFilters();
  const { data, isLoading } = useRead(['brands', brand], (api) => api.brands.get(brand as string), {
    enabled: brand !== undefined,
  });
  if (isLoading) return <Loading />;
  return (
    <NewCampaign initial={{ ...EMPTY, brand_id: data?.id ?? null, tenant_id: tenant_id ?? data?.tenant_id ?? null }} />
  );
}

function NewCampaign({ initial }: { initial: CampaignDraft }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite(
    (api, draft: CampaignDraft) => api.campaigns.create({ ...(bodyOf(draft) as CreateCampaign), draft: true }),
    {
      changes: ['campaigns'],
      done: t.draftSavedSubmit,
      onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `campaigns/${id}`) }),
    },
  );
  return (
    <Page title={t.newCampaign} about={t.whatReviewerWould}>
      <Card>
        <CampaignForm
          initial={initial}
          isTenantFixed={false}
          submit={t.saveTheDraft}
          onSubmit={create.mutate}
          onCancel={() => void navigate({ to: ledgerPath(ledger, 'campaigns') })}
          error={create.error}
          isPending={create.isPending}
        />
      </Card>
    </Page>
  );
}
