import { pascal, publishedSchema, reference } from './components.ts';
import type { JsonSchema, PathItem, Referable } from './types.ts';

/** An event type, when it happens, and the JSON schema of its data. */
export type EventDescription = { readonly type: string; readonly summary: string; readonly data: object };

const header = (name: string, description: string): Referable => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The headers that sign a delivery, as components of the document. */
export const SIGNATURE_HEADERS = {
  ServiceSignature: header(
    'Service-Signature',
    't=<unix time>,v1=<hmac>: hex HMAC-SHA256 of "<t>.<body>" under the secret of the endpoint, one v1 for each live ' +
      'secret. Compare in constant time and refuse what is older than five minutes.',
  ),
  WebhookId: header('webhook-id', 'Id of the event, by Standard Webhooks.'),
  WebhookTimestamp: header('webhook-timestamp', 'Unix time of the attempt, by Standard Webhooks.'),
  WebhookSignature: header('webhook-signature', 'Signature by Standard Webhooks.'),
} as const;

/** Describes the requests that webhook endpoints receive. There is one entry for each event type. */
export function describeWebhooks(events: readonly EventDescription[]): Record<string, PathItem> {
  return Object.fromEntries(events.map(({ type, summary }) => [type, { post: describeDelivery(type, summary) }]));
}

function describeDelivery(type: string, summary: string): PathItem[string] {
  return {
    operationId: `on${pascal(type)}`,
    summary,
    description:
      'Sent to every active endpoint that takes this type. Events of one resource arrive in the order of `sequence`. An ' +
      'event can arrive twice: `id` is the same. Any reply but 2xx is a failure, and the delivery is tried again.',
    tags: ['Events'],
    security: [],
    parameters: Object.keys(SIGNATURE_HEADERS).map((name) => reference('parameters', name)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference('schemas', nameOf(type)) } },
    },
    responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
  };
}

const nameOf = (type: string) => `${pascal(type)}Event`;

/** Returns the schema of each event's data, with resources as replies publish them. */
export function publishedData(events: readonly EventDescription[]): unknown[] {
  return events.map(({ data }) => constAsEnum(publishedSchema(data)));
}

/**
 * Returns the schemas of events: one for each type, and their union. The union replaces the schema that all types
 * share.
 * @param shared the schema of the fields that all types have
 * @param data the schemas of the events' data, as references
 */
export function eventSchemas(
  events: readonly EventDescription[],
  shared: JsonSchema,
  data: readonly unknown[],
): Record<string, JsonSchema> {
  const variants = events.map(({ type, summary }, index): [string, JsonSchema] => {
    const specific = { type: { type: 'string', enum: [type] }, data: data[index] };
    const properties = { ...(shared['properties'] as object), ...specific };
    return [nameOf(type), { ...shared, description: summary, properties }];
  });
  const mapping = Object.fromEntries(events.map(({ type }) => [type, reference('schemas', nameOf(type)).$ref]));
  const union = {
    description: 'An event. Its `type` says which resource is in `data`. Ignore a type that you do not know.',
    oneOf: variants.map(([name]) => reference('schemas', name)),
    discriminator: { propertyName: 'type', mapping },
  };
  return { Event: union, ...Object.fromEntries(variants) };
}

/** Writes each `const` as an `enum`, as the schemas of replies do. Equal resources then get one name. */
function constAsEnum(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(constAsEnum);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === 'const' && typeof inner === 'string' ? ['enum', [inner]] : [name, constAsEnum(inner)],
    ),
  );
}
