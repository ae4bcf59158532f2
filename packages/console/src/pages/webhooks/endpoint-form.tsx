import type { WebhookEndpoint } from '@dialplane/sdk/resources';
import { TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';

const FIELDS = ['url', 'description', 'enabled_events'];

/** What a person chooses of an endpoint. */
export type EndpointChoice = Pick<WebhookEndpoint, 'url' | 'description' | 'enabled_events'>;

type EndpointFormProps = {
  /** What the fields have at first. */
  endpoint?: EndpointChoice;
  submit: string;
  error: unknown;
  isPending: boolean;
  onCancel: () => void;
  onSubmit: (endpoint: EndpointChoice) => void;
};

/** The address, event types and description of an endpoint: for a new one and for changes. */
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
      <TextField name="description" label="Description" defaultValue={endpoint?.description ?? ''} />
    </Form>
  );
}

function choiceOf({ url = '', description, enabled_events = '' }: FormValues): EndpointChoice {
  const types = enabled_events.split(/[\s,]+/).filter(Boolean);
  return { url, description: description ?? null, enabled_events: types.length === 0 ? null : types };
}
