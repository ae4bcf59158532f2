import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Secret } from './secret.tsx';

/** Makes a new secret of an endpoint after a question, and shows it once. */
export function RotateSecret({ endpointId }: { endpointId: string }) {
  const [isAsking, setAsking] = useState(false);
  const rotate = useWrite((api) => api.webhookEndpoints.rotateSecret(endpointId), { changes: ['webhook_endpoints'] });
  const close = () => {
    setAsking(false);
    // A secret that was shown is not shown again.
    rotate.reset();
  };
  return (
    <>
      <Button onPress={() => setAsking(true)}>Rotate the secret</Button>
      {rotate.data === undefined ? (
        <Confirm
          title="Rotate the secret"
          isOpen={isAsking}
          onClose={close}
          confirm="Rotate"
          onConfirm={() => rotate.mutate(undefined)}
          isPending={rotate.isPending}
          error={rotate.error}
        >
          Events are signed with both secrets for a day, so that your server can change without a gap.
        </Confirm>
      ) : (
        <Dialog title="The new secret" isOpen={isAsking} onClose={close} isShownOnce>
          <Secret secret={rotate.data.secret} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
