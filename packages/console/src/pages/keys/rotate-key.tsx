import type { ApiKey } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const OVERLAPS = [
  { id: '0', text: 'Ends at once' },
  { id: '3600', text: 'Stays valid for an hour' },
  { id: '86400', text: 'Stays valid for a day' },
  { id: '604800', text: 'Stays valid for a week' },
];

type RotateKeyProps = { apiKey: ApiKey; onClose: () => void; onMade: (secret: string) => void };

/** Replaces a key. The old one stays valid for the chosen time, so that servers can change over. */
export function RotateKey({ apiKey, onClose, onMade }: RotateKeyProps) {
  const rotate = useWrite((api, expires_in_seconds: number) => api.apiKeys.rotate(apiKey.id, { expires_in_seconds }), {
    changes: ['api_keys'],
    onDone: ({ key }) => onMade(key),
  });
  return (
    <Dialog title={`Rotate ${apiKey.name}`} isOpen onClose={onClose} isShownOnce={rotate.isPending}>
      <p>
        A new key with the same name and rights replaces <code>…{apiKey.last4}</code>.
      </p>
      <Form
        submit="Rotate the key"
        fields={['expires_in_seconds']}
        error={rotate.error}
        isPending={rotate.isPending}
        onCancel={onClose}
        onSubmit={({ expires_in_seconds }) => rotate.mutate(Number(expires_in_seconds))}
      >
        <Select name="expires_in_seconds" label="The old key" options={OVERLAPS} defaultValue="86400" />
      </Form>
    </Dialog>
  );
}
