import type { ApiKey } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { rich } from '../../ui/rich.tsx';

const t = texts.rotateKey;

const OVERLAPS = [
  { id: '0', text: t.endsAtOnce },
  { id: '3600', text: t.staysValidHour },
  { id: '86400', text: t.staysValidDay },
  { id: '604800', text: t.staysValidWeek },
];

type RotateKeyProps = { apiKey: ApiKey; onClose: () => void; onMade: (secret: string) => void };

/** Replaces a key. The old key stays valid for the chosen time, so that servers can switch to the new one. */
export function RotateKey({ apiKey, onClose, onMade }: RotateKeyProps) {
  const rotate = useWrite((api, expires_in_seconds: number) => api.apiKeys.rotate(apiKey.id, { expires_in_seconds }), {
    changes: ['api_keys'],
    onDone: ({ key }) => onMade(key),
  });
  return (
    <Dialog title={t.rotate(apiKey.name)} isOpen onClose={onClose} isShownOnce={rotate.isPending}>
      <p>{rich(t.newKeySame, <code>…{apiKey.last4}</code>)}</p>
      <Form
        submit={t.rotateTheKey}
        fields={['expires_in_seconds']}
        error={rotate.error}
        isPending={rotate.isPending}
        onCancel={onClose}
        onSubmit={({ expires_in_seconds }) => rotate.mutate(Number(expires_in_seconds))}
      >
        <Select name="expires_in_seconds" label={t.theOldKey} options={OVERLAPS} defaultValue="86400" />
      </Form>
    </Dialog>
  );
}
