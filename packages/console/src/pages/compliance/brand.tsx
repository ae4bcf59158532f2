import type { Brand } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useList, useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { Review } from '../../app/reviews.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/compliance.ts';
import { Status } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';
import { CampaignList } from './campaign-list.tsx';
import { ENTITY_TYPES, nameOf } from './texts.ts';
import { Verification } from './verification.tsx';

const t = texts.brand;

/** One brand: its state at the registry, and its campaigns. */
export function BrandPage() {
  const id = usePageId();
  const ledger = useLedger();
  const { data: brand, error } = useRead(['brands', id], (api) => api.brands.get(id));
  if (error !== null) {
    return (
      <Page title={t.brand}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (brand === undefined) return <Loading />;
  const newCampaign = (
    <ButtonLink to={ledgerPath(ledger, 'campaigns/new')} search={{ brand: brand.id }}>
      <Plus aria-hidden /> {t.newCampaign}
    </ButtonLink>
  );
  return (
    <Page title={nameOf(brand)} actions={brand.status === 'vetted' && newCampaign}>
      <WhatToDo brand={brand} />
      {isCodeAwaited(brand) && <Verification brand={brand} />}
      <Card label={t.brand}>
        <BrandFacts brand={brand} />
      </Card>
      {ledger.mode === 'test' && <BrandReview brand={brand} />}
      <Section title={t.campaigns}>
        <CampaignsOf brand={brand} />
      </Section>
    </Page>
  );
}

const isCodeAwaited = ({ entity_type, status }: Brand) =>
  entity_type === 'sole_proprietor' && status === 'pending_vetting';

function WhatToDo({ brand }: { brand: Brand }) {
  const ledger = useLedger();
  if (brand.status === 'rejected') {
    return (
      <Notice
        tone="bad"
        title={t.registryRejectedBrand}
        action={
          <ButtonLink kind="primary" to={ledgerPath(ledger, 'brands/new')} search={{ from: brand.id }}>
            {t.makeCorrectedOne}
          </ButtonLink>
        }
      >
        <p>{brand.rejection_reason ?? t.gaveNoReason}</p>
        <p>{t.rejectedBrandStays}</p>
      </Notice>
    );
  }
  if (brand.status === 'pending_vetting') {
    return (
      <Notice tone="warn" title={t.registryVettingBrand}>
        <p>{brand.rejection_reason ?? t.takesMinutesDays}</p>
      </Notice>
    );
  }
  return null;
}

function BrandFacts({ brand }: { brand: Brand }) {
  const ledger = useLedger();
  return (
    <Facts
      facts={[
        [t.status, <Status key="status" status={brand.status} />],
        [t.id, <code key="id">{brand.id}</code>],
        [t.legalName, brand.legal_name],
        [t.doingBusinessAs, brand.dba],
        ['EIN', brand.ein],
        [t.kindOfCompany, ENTITY_TYPES[brand.entity_type]],
        [t.website, brand.website],
        [t.contactEmail, brand.contact_email],
        [t.phone, formatNumber(brand.phone)],
        [t.address, `${brand.street}, ${brand.city}, ${brand.state} ${brand.postal_code}`],
        [
          t.tenant,
          brand.tenant_id === null ? (
            t.allPlatformsBrand
          ) : (
            <Link key="tenant" to={ledgerPath(ledger, `tenants/${brand.tenant_id}`)}>
              <TenantName id={brand.tenant_id} />
            </Link>
          ),
        ],
        [t.made, <Moment key="made" at={brand.created_at} tenantId={brand.tenant_id} format="long" />],
      ]}
    />
  );
}

function BrandReview({ brand }: { brand: Brand }) {
  const review = useWrite(
    (api, { result, reason }: { result: string; reason: string | null }) =>
      api.test.reviewBrand(brand.id, { result: result as 'approved' | 'rejected', reason }),
    { changes: ['brands'], done: ({ status }) => (status === 'vetted' ? t.isVetted : t.isRejected) },
  );
  const isPending = brand.status === 'pending_vetting';
  return (
    <Review
      title={isPending ? t.decideRegistryWould : t.reviews}
      results={
        isPending
          ? [
              { id: 'approved', title: t.approve, kind: 'primary' },
              { id: 'rejected', title: t.reject, kind: 'danger' },
            ]
          : []
      }
      reasonLabel={t.reasonRejection}
      onDecide={(result, reason) => review.mutate({ result, reason })}
      isPending={review.isPending}
      error={review.error}
    />
  );
}

/** The API lists campaigns by tenant, so campaigns of other brands are left out here. */
function CampaignsOf({ brand }: { brand: Brand }) {
  const filter = brand.tenant_id === null ? {} : { tenant_id: brand.tenant_id };
  const campaigns = useList(['campaigns', filter], (api, page) => api.campaigns.list({ ...filter, ...page }));
  const its = { ...campaigns, whole: undefined, rows: campaigns.rows.filter(({ brand_id }) => brand_id === brand.id) };
  return <CampaignList list={its} empty={<EmptyState title={t.noCampaignsYet}>{t.campaignSaysWhat}</EmptyState>} />;
}
