import type { OptInForm } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { changeOf, type Design, designOf } from './design.ts';
import { Designer } from './designer.tsx';
import { Submissions } from './submissions.tsx';

/** One opt-in form: its design, how to share it, and who agreed. */
export function FormPage() {
  const id = usePageId();
  const [{ show }, setFilters] = useFilters();
  const { data: form, error } = useRead(['opt_in_forms', id], (api) => api.optInForms.get(id));
  if (error !== null) {
    return (
      <Page title="Opt-in form">
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
          {form.url} <ExternalLink size="0.9em" aria-label="opens in a new tab" />
        </a>
      }
      actions={<DeleteForm form={form} />}
    >
      <Tabs
        label="Opt-in form"
        selected={show ?? 'design'}
        onSelect={(chosen) => setFilters({ show: chosen === 'design' ? undefined : chosen })}
        tabs={[
          { id: 'design', title: 'Design', content: <Edit key={form.id} form={form} /> },
          { id: 'share', title: 'Share', content: <Share form={form} /> },
          { id: 'submissions', title: 'Submissions', content: <Submissions form={form} /> },
        ]}
      />
    </Page>
  );
}

function Edit({ form }: { form: OptInForm }) {
  // The fields begin again with the stored values, such as a consent text that the API has written.
  const [saves, setSaves] = useState(0);
  const update = useWrite((api, design: Design) => api.optInForms.update(form.id, changeOf(design)), {
    changes: ['opt_in_forms'],
    done: ({ name }) => `${name} is saved.`,
  });
  const stored = update.data ?? form;
  return (
    <Designer
      key={saves}
      initial={designOf(stored)}
      isTenantFixed
      stays
      submit="Save"
      onSubmit={(design) => update.mutate(design, { onSuccess: () => setSaves(saves + 1) })}
      error={update.error}
      isPending={update.isPending}
    />
  );
}

function Share({ form }: { form: OptInForm }) {
  return (
    <>
      <Section title="The public page">
        <p>Send it, print it as a code, or name it in the campaign’s description of the opt-in.</p>
        <Code label="Address of the page" text={form.url} />
      </Section>
      <Section title="The opt-out page">
        <p>People enter their number on it to get no more texts and no calls of software. It stays after the form.</p>
        <Code label="Address of the opt-out page" text={form.opt_out_url} />
      </Section>
      <Section title="A link on a web page">
        <p>The page cannot be framed: the visitor must see what is agreed to. Link to it instead.</p>
        <Code label="A link in HTML" text={`<a href="${form.url}">Sign up for texts</a>`} />
      </Section>
      <Section title="From your own server">
        <p>
          Show the consent text unchanged beside an empty box, and send what the person entered. The record says that
          they saw this text.
        </p>
        <Code
          label="A submission by curl"
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
    done: `${form.name} is deleted.`,
    onDone: () => navigate({ to: ledgerPath(ledger, 'forms'), ignoreBlocker: true }),
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete ${form.name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm="Delete the form"
        onConfirm={() => remove.mutate(form.id)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>Its page is taken down, and its address is never used again. The records of consent stay.</p>
      </Confirm>
    </>
  );
}
