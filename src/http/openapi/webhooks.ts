import { pascal, reference } from './components.ts';
import type { JsonSchema, PathItem, Referable } from './types.ts';

/** Resources whose word in event types differs from the word in their `object` field. */
const RESOURCES: Readonly<Record<string, string>> = { number: 'PhoneNumber' };

/** Fields of `data` beside those of the resource. */
const EXTRA_FIELDS: readonly { types: RegExp; properties: JsonSchema }[] = [
  {
    types: /^message\.failed$/,
    properties: { failure_reason: { type: 'string', description: 'The same as error_code.' } },
  },
  {
    types: /\.status_changed$/,
    properties: { previous_status: { type: 'string', description: 'The status it had before.' } },
  },
];

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

/**
 * Describes the requests that webhook endpoints receive: one entry for each event type.
 * @param eventTypes event types with their summaries
 * @param schemas the named resources
 */
export function describeWebhooks(
  eventTypes: Readonly<Record<string, string>>,
  schemas: Readonly<Record<string, unknown>>,
): Record<string, PathItem> {
  const types = Object.entries(eventTypes);
  return Object.fromEntries(types.map(([type, summary]) => [type, { post: describe(type, summary, schemas) }]));
}

function describe(type: string, summary: string, schemas: Readonly<Record<string, unknown>>): PathItem[string] {
  const envelope = {
    allOf: [
      reference('schemas', 'Event'),
      { type: 'object', properties: { type: { const: type }, data: contentOf(type, schemas) } },
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

function contentOf(type: string, schemas: Readonly<Record<string, unknown>>): JsonSchema {
  const word = type.split('.', 1)[0] as string;
  const name = RESOURCES[word] ?? pascal(word);
  const base =
    name in schemas
      ? reference('schemas', name)
      : { type: 'object', required: ['object'], properties: { object: { type: 'string' } } };
  const extra = EXTRA_FIELDS.find(({ types }) => types.test(type));
  if (extra === undefined) return base;
  const { properties } = extra;
  return { allOf: [base, { type: 'object', required: Object.keys(properties), properties }] };
}
