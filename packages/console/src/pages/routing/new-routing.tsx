import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const TARGET = 'open_behavior.targets[0]';
const FIELDS = ['tenant_id', 'name', TARGET];

type NewRoutingProps = { isOpen: boolean; onClose: () => void; tenantId: string | undefined };

/** Asks for the required fields of a routing config, makes it and opens its editor. */
export function NewRouting({ isOpen, onClose, tenantId }: NewRoutingProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite(
    (api, { tenant_id, name, target }: { tenant_id: string; name: string; target: string }) =>
      api.routingConfigs.create({
        tenant_id,
        name,
        open_behavior: { type: 'ring', targets: [e164Of(target)], no_answer: { type: 'voicemail' } },
      }),
    {
      changes: ['routing_configs'],
      done: ({ name }) => `Created ${name}. Give it to a number to use it.`,
      onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `routing/${id}`) }),
    },
  );
  return (
    <Dialog title="New routing" isOpen={isOpen} onClose={onClose}>
      <Form
        submit="Make it"
        fields={FIELDS}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={({ tenant_id = '', name = '', [TARGET]: target = '' }) => create.mutate({ tenant_id, name, target })}
      >
        <TenantField
          isRequired
          autoFocus={tenantId === undefined}
          {...(tenantId !== undefined && { defaultValue: tenantId })}
        />
        <TextField name="name" label="Name" isRequired placeholder="Front desk" />
        <TextField
          name={TARGET}
          label="Rings"
          isRequired
          placeholder="+16025550143"
          hint="A number, a web client (wcl_…), a telephone of your SIP engine (sip_phone:front), or the word application for your software. Hours and menus come next."
        />
      </Form>
    </Dialog>
  );
}
