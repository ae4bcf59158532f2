import type { WebhookEndpoint } from '@dialplane/sdk/resources';
import { TenantField } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/webhooks.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';

const t = texts.endpointForm;

const FIELDS = ['url', 'description', 'enabled_events', 'tenant_id'];

/** The fields of an endpoint that a person chooses. */
export type EndpointChoice = Pick<WebhookEndpoint, 'url' | 'description' | 'enabled_events' | 'tenant_id'>;

type EndpointFormProps = {
  /** The first values of the fields. */
  endpoint?: EndpointChoice;
  submit: string;
  error: unknown;
  isPending: boolean;
  onCancel: () => void;
  onSubmit: (endpoint: EndpointChoice) => void;
};

/** The address, event types, tenant and description of an endpoint: for a new one and for changes. */
export function EndpointForm({ endpoint, onSubmit, ...form }: EndpointFormProps) {
  return (
    <Form {...form} fields={FIELDS} onSubmit={(values) => onSubmit(choiceOf(values))}>
      <TextField
        name="url"
        label={t.address}
        isRequired
        autoFocus
        placeholder={t.httpsYourServer}
        defaultValue={endpoint?.url ?? ''}
      />
      <TextField
        name="enabled_events"
        label={t.eventTypes}
        hint={t.exampleMessageReceived}
        defaultValue={endpoint?.enabled_events?.join(', ') ?? ''}
      />
      <TenantField
        hint={t.onlyReceiverMay}
        placeholder={t.allTenantsAccount}
        {...(typeof endpoint?.tenant_id === 'string' && { defaultValue: endpoint.tenant_id })}
      />
      <TextField name="description" label={t.description} defaultValue={endpoint?.description ?? ''} />
    </Form>
  );
}

function choiceOf({ url = '', description, enabled_events = '', tenant_id }: FormValues): EndpointChoice {
  const types = enabled_events.split(/[\s,]+/).filter(Boolean);
  return {
    url,
    description: description ?? null,
    enabled_events: types.length === 0 ? null : types,
    tenant_id: tenant_id ?? null,
  };
}
