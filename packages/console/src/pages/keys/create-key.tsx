import type { CreateApiKey } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const PERMISSIONS = [
  { id: 'write', text: 'Read and write' },
  { id: 'read', text: 'Only read' },
];

type CreateKeyProps = { onClose: () => void; onMade: (secret: string) => void };

/** Makes a key of the account, or of one tenant. */
export function CreateKey({ onClose, onMade }: CreateKeyProps) {
  const create = useWrite((api, key: CreateApiKey) => api.apiKeys.create(key), {
    changes: ['api_keys'],
    onDone: ({ key }) => onMade(key),
  });
  return (
    <Dialog title="New API key" isOpen onClose={onClose} isShownOnce={create.isPending}>
      <Form
        submit="Make the key"
        fields={['name', 'tenant_id', 'permissions']}
        error={create.error}
        isPending={create.isPending}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(values as unknown as CreateApiKey)}
      >
        <TextField name="name" label="Name" isRequired autoFocus placeholder="Booking server" hint="Who uses the key" />
        <TenantField
          placeholder="None: the key opens the account"
          hint="With a tenant, the key opens this tenant alone"
        />
        <Select name="permissions" label="It may" options={PERMISSIONS} defaultValue="write" />
      </Form>
    </Dialog>
  );
}
