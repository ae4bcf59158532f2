import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ZoneField } from '../../ui/zone-field.tsx';

const FIELDS = ['name', 'timezone', 'external_ref'];

type NewTenant = { name: string; timezone?: string; external_ref?: string };

/** Asks for the fields of a tenant, makes it and opens its page. */
export function CreateTenant({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite((api, tenant: NewTenant) => api.tenants.create(tenant), {
    changes: ['tenants'],
    done: ({ name }) => `Created ${name}.`,
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `tenants/${id}`) }),
  });
  return (
    <Dialog title="New tenant" isOpen={isOpen} onClose={onClose}>
      <Form
        submit="Make the tenant"
        fields={FIELDS}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={({ name = '', ...rest }) => create.mutate({ name, ...rest } as NewTenant)}
      >
        <TextField name="name" label="Name" isRequired autoFocus placeholder="Desert Paws Clinic" />
        <ZoneField defaultValue="America/Phoenix" />
        <TextField name="external_ref" label="Your reference" hint="The id that the tenant has in your software" />
      </Form>
    </Dialog>
  );
}
