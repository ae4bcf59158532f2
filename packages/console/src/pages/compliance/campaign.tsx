import type { Campaign } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatCount } from '../../lib/amounts.ts';
import { texts } from '../../texts/compliance.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';
import { bodyOf, type CampaignDraft } from './campaign-draft.ts';
import { CampaignForm } from './campaign-form.tsx';
import { CampaignNumbers } from './campaign-numbers.tsx';
import { CampaignNotice, CampaignReview } from './campaign-review.tsx';
import css from './compliance.module.css';
import { nameOf, USE_CASES } from './texts.ts';

const t = texts.campaign;

/** One campaign: its texts, the answers of the reviewers, and its numbers. */
export function CampaignPage() {
  const id = usePageId();
  const [isEditing, setEditing] = useState(false);
  const { data: campaign, error } = useRead(['campaigns', id], (api) => api.campaigns.get(id));
  if (error !== null) {
    return (
      <Page title={t.campaign}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (campaign === undefined) return <Loading />;
  const canChange = campaign.status === 'draft' || campaign.status === 'rejected';
  return (
    <Page
      title={t.campaignOf(USE_CASES[campaign.use_case])}
      actions={canChange && !isEditing && <Actions campaign={campaign} onEdit={() => setEditing(true)} />}
    >
      <CampaignNotice campaign={campaign} />
      {canChange && isEditing ? (
        <Edit campaign={campaign} onClose={() => setEditing(false)} />
      ) : (
        <Texts campaign={campaign} />
      )}
      <CampaignReview campaign={campaign} />
      <Section title={t.numbers}>
        <CampaignNumbers campaign={campaign} />
      </Section>
    </Page>
  );
}

function Actions({ campaign, onEdit }: { campaign: Campaign; onEdit: () => void }) {
  const { mode } = useLedger();
  const [isAsking, setAsking] = useState(false);
  const submit = useWrite((api, id: string) => api.campaigns.submit(id), {
    changes: ['campaigns'],
    done: t.campaignSubmittedReview,
    onDone: () => setAsking(false),
  });
  const isAgain = campaign.status === 'rejected';
  return (
    <>
      <Button onPress={onEdit}>{t.edit}</Button>
      <Button kind="primary" onPress={() => setAsking(true)}>
        {isAgain ? t.submitAgain : t.submit}
      </Button>
      <Confirm
        title={isAgain ? t.submitCampaignAgain : t.submitCampaign}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={t.submit}
        onConfirm={() => submit.mutate(campaign.id)}
        isPending={submit.isPending}
        error={submit.error}
      >
        <p>{t.cannotChangedWhile}</p>
        {mode === 'live' && <p>{t.firstSubmissionCosts}</p>}
      </Confirm>
    </>
  );
}

function Edit({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const update = useWrite((api, draft: CampaignDraft) => api.campaigns.update(campaign.id, bodyOf(draft)), {
    changes: ['campaigns'],
    done: t.campaignSavedSubmit,
    onDone: onClose,
  });
  const { tenant_id, brand_id, use_case, description, sample_messages, opt_in_description } = campaign;
  return (
    <Card label={t.editTheCampaign}>
      <CampaignForm
        initial={{ tenant_id, brand_id, use_case, description, sample_messages, opt_in_description }}
        isTenantFixed
        submit={t.save}
        onSubmit={update.mutate}
        onCancel={onClose}
        error={update.error}
        isPending={update.isPending}
      />
    </Card>
  );
}

function Texts({ campaign }: { campaign: Campaign }) {
  const ledger = useLedger();
  const { throughput } = campaign;
  const { data: brand } = useRead(['brands', campaign.brand_id], (api) => api.brands.get(campaign.brand_id));
  return (
    <Card label={t.campaign}>
      <Facts
        facts={[
          [t.status, <Status key="status" status={campaign.status} />],
          [t.id, <code key="id">{campaign.id}</code>],
          [
            t.tenant,
            <Link key="tenant" to={ledgerPath(ledger, `tenants/${campaign.tenant_id}`)}>
              <TenantName id={campaign.tenant_id} />
            </Link>,
          ],
          [
            t.brand,
            <Link key="brand" to={ledgerPath(ledger, `brands/${campaign.brand_id}`)}>
              {brand === undefined ? campaign.brand_id : nameOf(brand)}
            </Link>,
          ],
          [
            t.throughput,
            throughput === null
              ? t.grantedApproval
              : t.minuteSegmentsDay(formatCount(throughput.messages_per_minute), formatCount(throughput.daily_cap)),
          ],
          [t.made, <Moment key="made" at={campaign.created_at} tenantId={campaign.tenant_id} format="long" />],
        ]}
      />
      <div className={css.texts}>
        <h3>{t.whatIsSent}</h3>
        <p>{campaign.description}</p>
        <h3>{t.sampleMessages}</h3>
        <ol className={css.bubbles}>
          {campaign.sample_messages.map((sample, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand there twice
            <li key={index}>{sample}</li>
          ))}
        </ol>
        <h3>{t.howRecipientsAgree}</h3>
        <p>{campaign.opt_in_description}</p>
      </div>
    </Card>
  );
}
