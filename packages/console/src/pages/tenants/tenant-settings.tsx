import type { Tenant, UpdateTenant } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Checkbox, Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Card, Columns } from '../../ui/page.tsx';
import { type Pair, PairsField } from '../../ui/pairs-field.tsx';
import { ZoneField } from '../../ui/zone-field.tsx';
import { RetentionFields, retentionOf } from './retention-fields.tsx';

const FIELDS = [
  'name',
  'external_ref',
  'timezone',
  'sender_name',
  'support_contact',
  'quiet_hours.start',
  'quiet_hours.end',
  'retention.message_days',
  'retention.recording_days',
  'retention.voicemail_days',
  'retention.transcript_days',
];
const METADATA_MAX = 20;
const ZONES = [
  { id: 'recipient', text: 'of the recipient' },
  { id: 'tenant', text: 'of the tenant' },
];

/** Everything about a tenant that can be changed. Only changed fields are sent. */
export function TenantSettings({ tenant }: { tenant: Tenant }) {
  const [isQuiet, setQuiet] = useState(tenant.quiet_hours !== null);
  const [metadata, setMetadata] = useState<readonly Pair[]>(() => Object.entries(tenant.metadata));
  const save = useWrite((api, changes: UpdateTenant) => api.tenants.update(tenant.id, changes), {
    changes: ['tenants'],
    done: ({ name }) => `${name} is saved.`,
  });
  return (
    <Card label="Settings">
      <Form
        stays
        submit="Save"
        fields={FIELDS}
        error={save.error}
        isPending={save.isPending}
        onSubmit={(values) => save.mutate(changesOf(tenant, values, isQuiet, metadata))}
      >
        <Columns>
          <TextField name="name" label="Name" isRequired defaultValue={tenant.name} />
          <TextField
            name="external_ref"
            label="Your reference"
            hint="The id that the tenant has in your software"
            defaultValue={tenant.external_ref ?? ''}
          />
          <TextField
            name="sender_name"
            label="Sender name"
            hint="Named in the replies to STOP, START and HELP"
            defaultValue={tenant.sender_name}
          />
          <TextField
            name="support_contact"
            label="Support contact"
            hint="A telephone number, an email or web address. The reply to HELP names it"
            defaultValue={tenant.support_contact ?? ''}
          />
          <ZoneField defaultValue={tenant.timezone} />
        </Columns>
        <Checkbox isSelected={isQuiet} onChange={setQuiet}>
          Quiet hours: texts that respect them wait for their end
        </Checkbox>
        {isQuiet && <QuietHours tenant={tenant} />}
        <RetentionFields tenant={tenant} />
        <PairsField label="Metadata" pairs={metadata} onChange={setMetadata} max={METADATA_MAX} />
      </Form>
    </Card>
  );
}

function QuietHours({ tenant: { quiet_hours } }: { tenant: Tenant }) {
  return (
    <Columns>
      <TextField name="quiet_hours.start" label="From" type="time" defaultValue={quiet_hours?.start ?? '21:00'} />
      <TextField name="quiet_hours.end" label="Until" type="time" defaultValue={quiet_hours?.end ?? '08:00'} />
      <Select
        name="quiet_hours.zone"
        label="By the clock"
        options={ZONES}
        defaultValue={quiet_hours?.zone ?? 'recipient'}
      />
    </Columns>
  );
}

/** Returns the fields that the person has changed. */
function changesOf(tenant: Tenant, values: FormValues, isQuiet: boolean, metadata: readonly Pair[]): UpdateTenant {
  const quiet = {
    start: values['quiet_hours.start'] ?? '',
    end: values['quiet_hours.end'] ?? '',
    zone: values['quiet_hours.zone'] === 'tenant' ? ('tenant' as const) : ('recipient' as const),
  };
  const next = {
    name: values.name ?? '',
    external_ref: values.external_ref ?? null,
    timezone: values.timezone ?? '',
    sender_name: values.sender_name ?? null,
    support_contact: values.support_contact ?? null,
    quiet_hours: isQuiet ? quiet : null,
    retention: retentionOf(values),
    metadata: Object.fromEntries(metadata.filter(([name]) => name !== '')),
  };
  const changed = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(tenant[name as keyof Tenant]),
  );
  return Object.fromEntries(changed);
}
