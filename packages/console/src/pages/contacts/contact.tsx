import type { Contact } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { AskedButton } from '../../app/asked-button.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/contacts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Columns, Page } from '../../ui/page.tsx';
import { CONTACT_FIELDS, ContactFields, contactOf } from './contact-fields.tsx';
import { NumberHistory } from './number-history.tsx';

const t = texts.contact;

/** One contact: its details, and the texts and calls with each of its numbers. */
export function ContactPage() {
  const id = usePageId();
  const { data: contact, error } = useRead(['contacts', id], (api) => api.contacts.get(id));
  if (error !== null) {
    return (
      <Page title={t.contact}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (contact === undefined) return <Loading />;
  return <OneContact key={contact.id} contact={contact} />;
}

function OneContact({ contact }: { contact: Contact }) {
  const { name, tenant_id, phone_numbers } = contact;
  return (
    <Page title={name} about={<TenantName id={tenant_id} />} actions={<DeleteContact contact={contact} />}>
      <EditContact contact={contact} />
      {phone_numbers.length === 0 && <EmptyState title={t.noNumber}>{t.numberConversationsCalls}</EmptyState>}
      {phone_numbers.map((number) => (
        <NumberHistory key={number} tenantId={tenant_id} number={number} />
      ))}
    </Page>
  );
}

function EditContact({ contact }: { contact: Contact }) {
  const save = useWrite((api, change: ReturnType<typeof contactOf>) => api.contacts.update(contact.id, change), {
    changes: ['contacts'],
    done: ({ name }) => t.isSaved(name),
  });
  return (
    <Card label={t.contact}>
      <Form
        stays
        submit={t.save}
        fields={CONTACT_FIELDS}
        error={save.error}
        isPending={save.isPending}
        onSubmit={(values) => save.mutate(contactOf(values))}
      >
        <Columns>
          <ContactFields contact={contact} />
        </Columns>
      </Form>
    </Card>
  );
}

function DeleteContact({ contact: { id, name } }: { contact: Contact }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  return (
    <AskedButton
      kind="danger"
      label={t.delete}
      title={t.deleteOf(name)}
      done={t.isDeleted(name)}
      changes={['contacts']}
      run={(api) => api.contacts.delete(id)}
      onDone={() => navigate({ to: ledgerPath(ledger, 'contacts'), ignoreBlocker: true })}
    >
      <p>{t.nameNoLonger}</p>
    </AskedButton>
  );
}
