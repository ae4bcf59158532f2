import type { OptInForm } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { texts } from '../../texts/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { changeOf, type Design, designOf } from './design.ts';
import { Designer } from './designer.tsx';
import { Submissions } from './submissions.tsx';

const t = texts.form;

/** An opt-in form: its design, ways to share it, and the people who agreed. */
export function FormPage() {
  const id = usePageId();
  const [{ show }, setFilters] = useFilters();
  const { data: form, error } = useRead(['opt_in_forms', id], (api) => api.optInForms.get(id));
  if (error !== null) {
    return (
      <Page title={t.optInForm}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (form === undefined) return <Loading />;
  return (
    <Page
      title={form.name}
      about={
        <a href={form.url} target="_blank" rel="noreferrer">
          {form.url} <ExternalLink size="0.9em" aria-label={t.opensNewTab} />
        </a>
      }
      actions={<DeleteForm form={form} />}
    >
      <Tabs
        label={t.optInForm}
        selected={show ?? 'design'}
        onSelect={(chosen) => setFilters({ show: chosen === 'design' ? undefined : chosen })}
        tabs={[
          { id: 'design', title: t.design, content: <Edit key={form.id} form={form} /> },
          { id: 'share', title: t.share, content: <Share form={form} /> },
          { id: 'submissions', title: t.submissions, content: <Submissions form={form} /> },
        ]}
      />
    </Page>
  );
}

function Edit({ form }: { form: OptInForm }) {
  // After a save, the fields show the stored values again, such as a consent text that the API has written.
  const [saves, setSaves] = useState(0);
  const update = useWrite((api, design: Design) => api.optInForms.update(form.id, changeOf(design)), {
    changes: ['opt_in_forms'],
    done: ({ name }) => t.isSaved(name),
  });
  const stored = update.data ?? form;
  return (
    <Designer
      key={saves}
      initial={designOf(stored)}
      isTenantFixed
      stays
      submit={t.save}
      onSubmit={(design) => update.mutate(design, { onSuccess: () => setSaves(saves + 1) })}
      error={update.error}
      isPending={update.isPending}
    />
  );
}

function Share({ form }: { form: OptInForm }) {
  return (
    <>
      <Section title={t.thePublicPage}>
        <p>{t.sendPrintCode}</p>
        <Code label={t.addressPage} text={form.url} />
      </Section>
      <Section title={t.optOutPage}>
        <p>{t.peopleEnterTheir}</p>
        <Code label={t.addressOptOut} text={form.opt_out_url} />
      </Section>
      <Section title={t.linkWebPage}>
        <p>{t.pageCannotFramed}</p>
        <Code label={t.linkHtml} text={`<a href="${form.url}">${t.signUp}</a>`} />
      </Section>
      <Section title={t.fromYourOwn}>
        <p>{t.showConsentText}</p>
        <Code
          label={t.submissionCurl}
          text={`curl ${form.url} \\\n  -H "Content-Type: application/json" \\\n  -d '{"phone_number": "+16025550143", "consent": "yes"}'`}
        />
      </Section>
    </>
  );
}

function DeleteForm({ form }: { form: OptInForm }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite((api, id: string) => api.optInForms.delete(id), {
    changes: ['opt_in_forms'],
    done: t.isDeleted(form.name),
    onDone: () => navigate({ to: ledgerPath(ledger, 'forms'), ignoreBlocker: true }),
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t.delete}
      </Button>
      <Confirm
        title={t.deleteOf(form.name)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={t.deleteTheForm}
        onConfirm={() => remove.mutate(form.id)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>{t.pageTakenDown}</p>
      </Confirm>
    </>
  );
}
