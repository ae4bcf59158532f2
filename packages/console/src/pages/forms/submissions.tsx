import type { OptInForm, OptInSubmissionWithIpAddress } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { useDebounced } from '../../lib/debounced.ts';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts } from '../../ui/page.tsx';

const t = texts.submissions;

const SETTLED_MS = 400;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Who agreed on the form: one row for each number, with the evidence. */
export function Submissions({ form }: { form: OptInForm }) {
  const [{ number = '' }, setFilters] = useFilters();
  const [opened, setOpened] = useState<OptInSubmissionWithIpAddress>();
  const typed = e164Of(useDebounced(number, SETTLED_MS));
  const filter = E164.test(typed) ? { phone_number: typed } : {};
  const submissions = useList(['opt_in_forms', form.id, 'submissions', filter], (api, page) =>
    api.optInForms.listSubmissions(form.id, { ...filter, ...page }),
  );
  return (
    <>
      <FilterBar>
        <TextField
          label={t.phoneNumber}
          placeholder="(602) 555-0143"
          value={number}
          onChange={(text) => setFilters({ number: text })}
        />
      </FilterBar>
      <DataList
        label={t.submissions}
        list={submissions}
        tenantId={form.tenant_id}
        rowId={({ id }) => id}
        columns={[
          { title: t.number, cell: ({ phone_number }) => formatNumber(phone_number) },
          { title: t.firstAgreed, cell: ({ created_at }) => <Moment at={created_at} tenantId={form.tenant_id} /> },
          { title: t.times, cell: ({ times_submitted }) => times_submitted, align: 'end' },
          { title: t.from, cell: ({ ip_address }) => <code>{ip_address}</code> },
          {
            title: t.evidence,
            align: 'end',
            cell: (submission) => (
              <Button small onPress={() => setOpened(submission)}>
                {t.show}
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState
            title={number === '' ? t.nobodyAgreedYet : t.noSubmissionNumber}
            curl={<Curl path={`/v1/opt_in_forms/${form.id}/submissions`} />}
          >
            {t.eachVisitorWho}
          </EmptyState>
        }
      />
      {opened !== undefined && (
        <Evidence submission={opened} tenantId={form.tenant_id} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

type EvidenceProps = { submission: OptInSubmissionWithIpAddress; tenantId: string; onClose: () => void };

function Evidence({ submission, tenantId, onClose }: EvidenceProps) {
  const isRepeated = submission.times_submitted > 1;
  return (
    <Dialog title={t.consentOf(formatNumber(submission.phone_number))} isOpen onClose={onClose} isWide>
      <Facts
        facts={[
          [t.firstAgreed, <Moment key="at" at={submission.created_at} tenantId={tenantId} format="long" />],
          [t.address, submission.ip_address],
          [t.browser, submission.user_agent],
          [t.timesSubmitted, submission.times_submitted],
        ]}
      />
      <p>{submission.consent_text}</p>
      {isRepeated && (
        <Facts
          facts={[
            [t.latest, <Moment key="last" at={submission.last_submitted_at} tenantId={tenantId} format="long" />],
            [t.address, submission.last_ip_address],
            [t.browser, submission.last_user_agent],
            [t.textShown, submission.last_consent_text],
          ]}
        />
      )}
      <code>{submission.id}</code>
    </Dialog>
  );
}
