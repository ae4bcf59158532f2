import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/call-queues.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { AgentsField, agentsOf } from './agents-field.tsx';

const t = texts.newQueue;

type NewQueueProps = { tenantId: string | undefined; onClose: () => void };

/** Asks for the required fields of a queue, makes it and opens its page. */
export function NewQueue({ tenantId, onClose }: NewQueueProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(tenantId ?? null);
  const create = useWrite(
    (api, { tenant_id, name, agents }: { tenant_id: string; name: string; agents: string[] }) =>
      api.callQueues.create({ tenant_id, name, agents }),
    {
      changes: ['queues'],
      done: ({ name }) => t.madeSendCallers(name),
      onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `queues/${id}`) }),
    },
  );
  return (
    <Dialog title={t.newQueue} isOpen onClose={onClose}>
      <Form
        submit={t.makeTheQueue}
        fields={['tenant_id', 'name', 'agents']}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={({ tenant_id = '', name = '', agents }) =>
          create.mutate({ tenant_id, name, agents: agentsOf(agents) })
        }
      >
        <TenantField
          isRequired
          onChange={setChosen}
          autoFocus={tenantId === undefined}
          {...(tenantId !== undefined && { defaultValue: tenantId })}
        />
        <TextField name="name" label={t.name} isRequired placeholder={t.support} />
        <AgentsField tenantId={chosen} />
      </Form>
    </Dialog>
  );
}
