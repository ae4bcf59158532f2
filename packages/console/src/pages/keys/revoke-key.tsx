import type { ApiKey } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { Confirm } from '../../ui/dialog.tsx';

/** Ends a key. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useWrite((api, id: string) => api.apiKeys.revoke(id), {
    changes: ['api_keys'],
    done: `${apiKey.name} is revoked.`,
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Revoke ${apiKey.name}?`}
      isOpen
      onClose={onClose}
      confirm="Revoke"
      onConfirm={() => revoke.mutate(apiKey.id)}
      isPending={revoke.isPending}
      error={revoke.error}
    >
      <p>
        Within 5 seconds every request with <code>…{apiKey.last4}</code> is refused, and the sockets that it opened end.
        This cannot be undone.
      </p>
    </Confirm>
  );
}
