import type { WebhookEndpoint } from '@dialplane/sdk/resources';
import { TenantField } from '../../app/tenant-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';

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
        label="Address"
        isRequired
        autoFocus
        placeholder="https://your-server.example/hooks"
        defaultValue={endpoint?.url ?? ''}
      />
      <TextField
        name="enabled_events"
        label="Event types"
        hint="For example message.received, call.completed. Leave it empty for all events"
        defaultValue={endpoint?.enabled_events?.join(', ') ?? ''}
      />
      <TenantField
        hint="Only for a receiver that may see the events of one tenant alone"
        placeholder="All tenants and the account"
        {...(typeof endpoint?.tenant_id === 'string' && { defaultValue: endpoint.tenant_id })}
      />
      <TextField name="description" label="Description" defaultValue={endpoint?.description ?? ''} />
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
