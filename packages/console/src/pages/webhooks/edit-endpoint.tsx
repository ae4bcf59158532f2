import type { WebhookEndpoint } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type EndpointChoice, EndpointForm } from './endpoint-form.tsx';

const t = texts.editEndpoint;

/** Changes the address, event types, tenant and description of an endpoint. */
export function EditEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isEditing, setEditing] = useState(false);
  const update = useWrite((api, changed: EndpointChoice) => api.webhookEndpoints.update(endpoint.id, changed), {
    changes: ['webhook_endpoints'],
    done: t.endpointChanged,
    onDone: () => setEditing(false),
  });
  const close = () => {
    setEditing(false);
    update.reset();
  };
  return (
    <>
      <Button onPress={() => setEditing(true)}>{t.edit}</Button>
      <Dialog title={t.editTheEndpoint} isOpen={isEditing} onClose={close}>
        <EndpointForm
          endpoint={endpoint}
          submit={t.save}
          error={update.error}
          isPending={update.isPending}
          onCancel={close}
          onSubmit={update.mutate}
        />
      </Dialog>
    </>
  );
}
