import type { OptOut } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const FIELDS = ['tenant_id', 'external_number', 'source'];
const CHANGES = ['opt_outs', 'conversations'];
const SOURCES = [
  { id: 'api', text: 'You know it from elsewhere' },
  { id: 'import', text: 'A list of another provider' },
];

type NewOptOut = { tenant_id: string; external_number: string; source: 'api' | 'import' };

/** Records that a person wants no texts of a tenant. */
export function AddOptOut({ tenantId, onClose }: { tenantId: string | undefined; onClose: () => void }) {
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const add = useWrite((api, optOut: NewOptOut) => api.optOuts.create(optOut), {
    changes: CHANGES,
    done: ({ external_number }) => `${formatNumber(external_number)} gets no more texts.`,
    onDone: onClose,
  });
  return (
    <Dialog title="Add an opt-out" isOpen onClose={onClose}>
      <Form
        submit="Add"
        fields={FIELDS}
        error={add.error}
        isPending={add.isPending}
        onCancel={onClose}
        onSubmit={({ tenant_id = '', external_number = '', source }) =>
          add.mutate({
            tenant_id,
            external_number: e164Of(external_number),
            source: source === 'import' ? 'import' : 'api',
          })
        }
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <TextField name="external_number" label="Their number" isRequired placeholder="(602) 555-0143" />
        <Select name="source" label="How you know it" options={SOURCES} defaultValue="api" />
      </Form>
    </Dialog>
  );
}

/** Asks before a person gets texts again. */
export function LiftOptOut({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const { external_number, tenant_id } = optOut;
  const person = formatNumber(external_number);
  const lift = useWrite((api) => api.optOuts.remove(external_number, { tenant_id }), {
    changes: CHANGES,
    done: `${person} gets texts again.`,
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Lift the opt-out of ${person}?`}
      isOpen
      onClose={onClose}
      confirm="Lift it"
      onConfirm={() => lift.mutate(undefined)}
      isPending={lift.isPending}
      error={lift.error}
    >
      <p>The tenant can text this person again. Do it only if the person has agreed.</p>
    </Confirm>
  );
}
