import { pascal, publishedSchema, reference } from './components.ts';
import type { PathItem, Referable } from './types.ts';

/** An event type, when it happens, and the JSON schema of its data. */
export type EventDescription = { readonly type: string; readonly summary: string; readonly data: object };

const header = (name: string, description: string): Referable => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const SIGNATURES: Referable[] = [
  header(
    'Service-Signature',
    't=<unix time>,v1=<hmac>: hex HMAC-SHA256 of "<t>.<body>" under the secret of the endpoint, one v1 for each live ' +
      'secret. Compare in constant time and refuse what is older than five minutes.',
  ),
  header('webhook-id', 'Id of the event, by Standard Webhooks.'),
  header('webhook-timestamp', 'Unix time of the attempt, by Standard Webhooks.'),
  header('webhook-signature', 'Signature by Standard Webhooks.'),
];

/** Describes the requests that webhook endpoints receive: one entry for each event type. */
export function describeWebhooks(events: readonly EventDescription[]): Record<string, PathItem> {
  return Object.fromEntries(events.map((event) => [event.type, { post: describe(event) }]));
}

function describe({ type, summary, data }: EventDescription): PathItem[string] {
  const envelope = {
    allOf: [
      reference('schemas', 'Event'),
      { type: 'object', properties: { type: { const: type }, data: constAsEnum(publishedSchema(data)) } },
    ],
  };
  return {
    operationId: `on${pascal(type)}`,
    summary,
    tags: ['Events'],
    security: [],
    parameters: SIGNATURES,
    requestBody: { required: true, content: { 'application/json': { schema: envelope } } },
    responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
  };
}

/** Writes each `const` as an `enum`, as in the schemas of replies: equal resources then have one name. */
function constAsEnum(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(constAsEnum);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === 'const' && typeof inner === 'string' ? ['enum', [inner]] : [name, constAsEnum(inner)],
    ),
  );
}
