import type { ApiKey } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/keys.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { rich } from '../../ui/rich.tsx';

const t = texts.revokeKey;

/** Ends a key. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useWrite((api, id: string) => api.apiKeys.revoke(id), {
    changes: ['api_keys'],
    done: t.isRevoked(apiKey.name),
    onDone: onClose,
  });
  return (
    <Confirm
      title={t.revokeOf(apiKey.name)}
      isOpen
      onClose={onClose}
      confirm={t.revoke}
      onConfirm={() => revoke.mutate(apiKey.id)}
      isPending={revoke.isPending}
      error={revoke.error}
    >
      <p>{rich(t.within5Seconds, <code>…{apiKey.last4}</code>)}</p>
    </Confirm>
  );
}
