import type { CreateWebClient as NewWebClient } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { E911AddressField } from '../../app/option-fields.tsx';
import { TenantField } from '../../app/tenant-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

type CreateProps = { tenantId: string | undefined; onClose: () => void };

/** Makes a web client, and opens its page, which says how its person logs in. */
export function CreateWebClient({ tenantId, onClose }: CreateProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const create = useWrite((api, client: NewWebClient) => api.webClients.create(client), {
    changes: ['web_clients'],
    done: 'The web client is made.',
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `web-clients/${id}`) }),
  });
  return (
    <Dialog title="New web client" isOpen onClose={onClose}>
      <Form
        submit="Make the web client"
        fields={['tenant_id', 'name', 'e911_address_id']}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(values as unknown as NewWebClient)}
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <TextField name="name" label="Name" placeholder="Front desk" hint="The person or desk that uses it" />
        <E911AddressField
          tenantId={owner ?? undefined}
          hint="Where the person is, if not at the address of the number"
        />
      </Form>
    </Dialog>
  );
}
