import type { OptOut } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const FIELDS = ['tenant_id', 'external_number', 'channels', 'source'];
const CHANGES = ['opt_outs', 'conversations'];
const SOURCES = [
  { id: 'api', text: 'You know it from elsewhere' },
  { id: 'import', text: 'A list of another provider' },
];

const CHANNELS = [
  { id: 'both', text: 'Texts, and calls of software' },
  { id: 'text', text: 'Texts' },
  { id: 'call', text: 'Calls of software' },
];

type Channel = 'text' | 'call';
type NewOptOut = { tenant_id: string; external_number: string; source: 'api' | 'import'; channels: Channel[] };

/** Records that a person wants no texts or calls of a tenant. */
export function AddOptOut({ tenantId, onClose }: { tenantId: string | undefined; onClose: () => void }) {
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const add = useWrite((api, optOut: NewOptOut) => api.optOuts.create(optOut), {
    changes: CHANGES,
    done: ({ external_number }) => `${formatNumber(external_number)} is opted out.`,
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
        onSubmit={({ tenant_id = '', external_number = '', source, channels }) =>
          add.mutate({
            tenant_id,
            external_number: e164Of(external_number),
            source: source === 'import' ? 'import' : 'api',
            channels: channels === 'text' || channels === 'call' ? [channels] : ['text', 'call'],
          })
        }
      >
        <TenantField isRequired value={owner} onChange={setOwner} />
        <TextField name="external_number" label="Their number" isRequired placeholder="(602) 555-0143" />
        <Select name="channels" label="What it stops" options={CHANNELS} defaultValue="both" />
        <Select name="source" label="How you know it" options={SOURCES} defaultValue="api" />
      </Form>
    </Dialog>
  );
}

/** Asks before an opt-out is lifted. */
export function LiftOptOut({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const { external_number, tenant_id } = optOut;
  const person = formatNumber(external_number);
  const lift = useWrite((api) => api.optOuts.remove(external_number, { tenant_id }), {
    changes: CHANGES,
    done: `The opt-out of ${person} is lifted.`,
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
      <p>The tenant and its software can text and call this person again. Do it only if the person has agreed.</p>
    </Confirm>
  );
}
