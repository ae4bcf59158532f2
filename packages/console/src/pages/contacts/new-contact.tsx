import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/contacts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { CONTACT_FIELDS, ContactFields, contactOf } from './contact-fields.tsx';

const t = texts.newContact;

type NewContactProps = { tenantId: string | undefined; number: string | undefined; onClose: () => void };

/** Asks for a contact, makes it and opens its page. */
export function NewContact({ tenantId, number, onClose }: NewContactProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const create = useWrite(
    (api, contact: ReturnType<typeof contactOf>) => api.contacts.create({ tenant_id: owner ?? '', ...contact }),
    {
      changes: ['contacts'],
      done: ({ name }) => t.contactNow(name),
      onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `contacts/${id}`) }),
    },
  );
  return (
    <Dialog title={t.newContact} isOpen onClose={onClose}>
      <Form
        submit={t.makeTheContact}
        fields={['tenant_id', ...CONTACT_FIELDS]}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(contactOf(values))}
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <ContactFields number={number} />
      </Form>
    </Dialog>
  );
}
