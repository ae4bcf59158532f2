import type { CreateApiKey } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.createKey;

const PERMISSIONS = [
  { id: 'write', text: t.readAndWrite },
  { id: 'read', text: t.onlyRead },
];

type CreateKeyProps = { onClose: () => void; onMade: (secret: string) => void };

/** Makes a key of the account, or of one tenant. */
export function CreateKey({ onClose, onMade }: CreateKeyProps) {
  const create = useWrite((api, key: CreateApiKey) => api.apiKeys.create(key), {
    changes: ['api_keys'],
    onDone: ({ key }) => onMade(key),
  });
  return (
    <Dialog title={t.newApiKey} isOpen onClose={onClose} isShownOnce={create.isPending}>
      <Form
        submit={t.makeTheKey}
        fields={['name', 'tenant_id', 'permissions']}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(values as unknown as CreateApiKey)}
      >
        <TextField name="name" label={t.name} isRequired autoFocus placeholder={t.bookingServer} hint={t.whoUsesKey} />
        <TenantField placeholder={t.noneKeyOpens} hint={t.tenantKeyOpens} />
        <Select name="permissions" label={t.itMay} options={PERMISSIONS} defaultValue="write" />
      </Form>
    </Dialog>
  );
}
