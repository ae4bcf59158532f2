import type { OptOut } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/opt-outs.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.optOutDialogs;

const FIELDS = ['tenant_id', 'external_number', 'channels', 'source'];
const CHANGES = ['opt_outs', 'conversations'];
const SOURCES = [
  { id: 'api', text: t.youKnowFrom },
  { id: 'import', text: t.listAnotherProvider },
];

const CHANNELS = [
  { id: 'both', text: t.textsCallsSoftware },
  { id: 'text', text: t.texts },
  { id: 'call', text: t.callsOfSoftware },
];

type Channel = 'text' | 'call';
type NewOptOut = { tenant_id: string; external_number: string; source: 'api' | 'import'; channels: Channel[] };

/** Records that a person wants no texts or calls of a tenant. */
export function AddOptOut({ tenantId, onClose }: { tenantId: string | undefined; onClose: () => void }) {
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const add = useWrite((api, optOut: NewOptOut) => api.optOuts.create(optOut), {
    changes: CHANGES,
    done: ({ external_number }) => t.isOptedOut(formatNumber(external_number)),
    onDone: onClose,
  });
  return (
    <Dialog title={t.addOptOut} isOpen onClose={onClose}>
      <Form
        submit={t.add}
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
        <TextField name="external_number" label={t.theirNumber} isRequired placeholder="(602) 555-0143" />
        <Select name="channels" label={t.whatItStops} options={CHANNELS} defaultValue="both" />
        <Select name="source" label={t.howYouKnow} options={SOURCES} defaultValue="api" />
      </Form>
    </Dialog>
  );
}

/** Asks for a confirmation before an opt-out is lifted. */
export function LiftOptOut({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const { external_number, tenant_id } = optOut;
  const person = formatNumber(external_number);
  const lift = useWrite((api) => api.optOuts.remove(external_number, { tenant_id }), {
    changes: CHANGES,
    done: t.optOutLifted(person),
    onDone: onClose,
  });
  return (
    <Confirm
      title={t.liftOptOut(person)}
      isOpen
      onClose={onClose}
      confirm={t.liftIt}
      onConfirm={() => lift.mutate(undefined)}
      isPending={lift.isPending}
      error={lift.error}
    >
      <p>{t.tenantSoftwareCan}</p>
    </Confirm>
  );
}
