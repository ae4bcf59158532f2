import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Secret } from './secret.tsx';

const t = texts.rotateSecret;

/** Makes a new secret of an endpoint after a confirmation, and shows it once. */
export function RotateSecret({ endpointId }: { endpointId: string }) {
  const [isAsking, setAsking] = useState(false);
  const rotate = useWrite((api) => api.webhookEndpoints.rotateSecret(endpointId), { changes: ['webhook_endpoints'] });
  const close = () => {
    setAsking(false);
    // The secret was shown, and must not be shown again.
    rotate.reset();
  };
  return (
    <>
      <Button onPress={() => setAsking(true)}>{t.rotateTheSecret}</Button>
      {rotate.data === undefined ? (
        <Confirm
          title={t.rotateTheSecret}
          isOpen={isAsking}
          onClose={close}
          confirm={t.rotate}
          onConfirm={() => rotate.mutate(undefined)}
          isPending={rotate.isPending}
          error={rotate.error}
        >
          {t.eventsSignedBoth}
        </Confirm>
      ) : (
        <Dialog title={t.theNewSecret} isOpen={isAsking} onClose={close} isShownOnce>
          <Secret secret={rotate.data.secret} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
