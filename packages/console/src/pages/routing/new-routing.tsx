import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { texts } from '../../texts/routing.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.newRouting;

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
      done: ({ name }) => t.createdGiveNumber(name),
      onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `routing/${id}`) }),
    },
  );
  return (
    <Dialog title={t.newRouting} isOpen={isOpen} onClose={onClose}>
      <Form
        submit={t.makeIt}
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
        <TextField name="name" label={t.name} isRequired placeholder={t.frontDesk} />
        <TextField name={TARGET} label={t.rings} isRequired placeholder="+16025550143" hint={t.numberWebClient} />
      </Form>
    </Dialog>
  );
}
