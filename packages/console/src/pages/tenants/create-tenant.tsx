import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/tenants.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ZoneField } from '../../ui/zone-field.tsx';

const t = texts.createTenant;

const FIELDS = ['name', 'timezone', 'external_ref'];

type NewTenant = { name: string; timezone?: string; external_ref?: string };

/** Asks for the fields of a tenant, makes it and opens its page. */
export function CreateTenant({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite((api, tenant: NewTenant) => api.tenants.create(tenant), {
    changes: ['tenants'],
    done: ({ name }) => t.created(name),
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `tenants/${id}`) }),
  });
  return (
    <Dialog title={t.newTenant} isOpen={isOpen} onClose={onClose}>
      <Form
        submit={t.makeTheTenant}
        fields={FIELDS}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={({ name = '', ...rest }) => create.mutate({ name, ...rest } as NewTenant)}
      >
        <TextField name="name" label={t.name} isRequired autoFocus placeholder={t.desertPawsClinic} />
        <ZoneField defaultValue={t.americaPhoenix} />
        <TextField name="external_ref" label={t.yourReference} hint={t.idTenantYour} />
      </Form>
    </Dialog>
  );
}
