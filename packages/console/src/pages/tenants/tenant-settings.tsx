import type { Tenant, UpdateTenant } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/tenants.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Card, Columns } from '../../ui/page.tsx';
import { type Pair, PairsField } from '../../ui/pairs-field.tsx';
import { ZoneField } from '../../ui/zone-field.tsx';
import { type QuietDraft, QuietHours, quietDraftOf, quietFieldsOf, quietHoursOf } from './quiet-hours.tsx';
import { RetentionFields, retentionOf } from './retention-fields.tsx';

const t = texts.tenantSettings;

const FIELDS = [
  'name',
  'external_ref',
  'timezone',
  'sender_name',
  'support_contact',
  'emergency_contacts',
  'retention.message_days',
  'retention.recording_days',
  'retention.voicemail_days',
  'retention.transcript_days',
];
const METADATA_MAX = 20;

/** The settings of a tenant. Only changed fields are sent. */
export function TenantSettings({ tenant }: { tenant: Tenant }) {
  const [quiet, setQuiet] = useState(() => quietDraftOf(tenant));
  const [metadata, setMetadata] = useState<readonly Pair[]>(() => Object.entries(tenant.metadata));
  const save = useWrite((api, changes: UpdateTenant) => api.tenants.update(tenant.id, changes), {
    changes: ['tenants'],
    done: ({ name }) => t.isSaved(name),
  });
  return (
    <Card label={t.settings}>
      <Form
        stays
        submit={t.save}
        fields={[...FIELDS, ...quietFieldsOf(quiet)]}
        error={save.error}
        isPending={save.isPending}
        onSubmit={(values) => save.mutate(changesOf(tenant, values, quiet, metadata))}
      >
        <Columns>
          <TextField name="name" label={t.name} isRequired defaultValue={tenant.name} />
          <TextField
            name="external_ref"
            label={t.yourReference}
            hint={t.idTenantYour}
            defaultValue={tenant.external_ref ?? ''}
          />
          <TextField
            name="sender_name"
            label={t.senderName}
            hint={t.namedRepliesStop}
            defaultValue={tenant.sender_name}
          />
          <TextField
            name="support_contact"
            label={t.supportContact}
            hint={t.telephoneNumberEmail}
            defaultValue={tenant.support_contact ?? ''}
          />
          <TextField
            name="emergency_contacts"
            label={t.emergencyContacts}
            hint={t.up10Numbers}
            defaultValue={tenant.emergency_contacts.join(', ')}
          />
          <ZoneField defaultValue={tenant.timezone} />
        </Columns>
        <QuietHours draft={quiet} onChange={setQuiet} />
        <RetentionFields tenant={tenant} />
        <PairsField label={t.metadata} pairs={metadata} onChange={setMetadata} max={METADATA_MAX} />
      </Form>
    </Card>
  );
}

/** Returns the fields that the person has changed. */
function changesOf(tenant: Tenant, values: FormValues, quiet: QuietDraft, metadata: readonly Pair[]): UpdateTenant {
  const next = {
    name: values.name ?? '',
    external_ref: values.external_ref ?? null,
    timezone: values.timezone ?? '',
    sender_name: values.sender_name ?? null,
    support_contact: values.support_contact ?? null,
    quiet_hours: quietHoursOf(quiet),
    retention: retentionOf(values),
    emergency_contacts: (values.emergency_contacts ?? '').split(/[,;\s]+/).filter((contact) => contact !== ''),
    metadata: Object.fromEntries(metadata.filter(([name]) => name !== '')),
  };
  const changed = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(tenant[name as keyof Tenant]),
  );
  return Object.fromEntries(changed);
}
