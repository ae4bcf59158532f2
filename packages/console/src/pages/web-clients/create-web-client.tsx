import type { CreateWebClient as NewWebClient } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { E911AddressField } from '../../app/option-fields.tsx';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/web-clients.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.createWebClient;

type CreateProps = { tenantId: string | undefined; onClose: () => void };

/** Creates a web client, and opens its page, which explains how its person logs in. */
export function CreateWebClient({ tenantId, onClose }: CreateProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const create = useWrite((api, client: NewWebClient) => api.webClients.create(client), {
    changes: ['web_clients'],
    done: t.webClientMade,
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `web-clients/${id}`) }),
  });
  return (
    <Dialog title={t.newWebClient} isOpen onClose={onClose}>
      <Form
        submit={t.makeWebClient}
        fields={['tenant_id', 'name', 'e911_address_id']}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(values as unknown as NewWebClient)}
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <TextField name="name" label={t.name} placeholder={t.frontDesk} hint={t.personDeskUses} />
        <E911AddressField tenantId={owner ?? undefined} hint={t.wherePersonIf} />
      </Form>
    </Dialog>
  );
}
