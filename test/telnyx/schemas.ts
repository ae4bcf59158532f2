/** Checks bodies against the types that Telnyx publishes: `npm run gen:telnyx` makes the schemas from them. */
import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

/** `empty` names the operations without a body, `missing` the operations and events without a type in the package. */
export type SchemaFile = {
  readonly source: string;
  readonly sha256: string;
  readonly empty: readonly string[];
  readonly missing: readonly string[];
  readonly schemas: Readonly<Record<string, object>>;
};

export const REQUESTS = readSchemas('requests');
export const RESPONSES = readSchemas('responses');
export const WEBHOOKS = readSchemas('webhooks');

const ajv = new Ajv({ strict: false, allErrors: true });
const compiled = new Map<object, ValidateFunction>();

/** An operation, and its method and path in parts. */
type Template = { readonly name: string; readonly parts: readonly string[] };

const templates = new Map<SchemaFile, readonly Template[]>();

const EVENT = {
  type: 'object',
  required: ['id', 'event_type', 'payload', 'record_type'],
  properties: { id: { type: 'string' }, event_type: { type: 'string' }, record_type: { const: 'event' } },
};
const ENVELOPE = { type: 'object', required: ['data'], properties: { data: EVENT } };

/**
 * Checks the body of a request to Telnyx; unknown fields are refused. `body` is undefined if none is sent.
 * @param path below `/v2`, without the query: `/messages/4031`
 * @throws AssertionError that names the field, or if there is no schema of the operation
 */
export function checkRequest(method: string, path: string, body: unknown): void {
  checkOperation(REQUESTS, 'request', `${method} ${path}`, body);
}

/**
 * Checks the body of a successful answer of Telnyx; unknown fields are accepted.
 * @throws AssertionError that names the field, or if there is no schema of the operation
 */
export function checkResponse(method: string, path: string, body: unknown): void {
  checkOperation(RESPONSES, 'response', `${method} ${path}`, body);
}

/**
 * Checks a webhook of Telnyx; unknown fields are accepted. Of the events in `WEBHOOKS.missing` only the envelope is
 * checked. The flat body of a campaign has the event type `campaignStatusUpdate`.
 * @throws AssertionError that names the field, or if there is no schema of the event
 */
export function checkWebhook(eventType: string, body: unknown): void {
  const subject = `webhook ${eventType}`;
  if (eventType !== 'campaignStatusUpdate') {
    checkBody(ENVELOPE, subject, body);
    const given = (body as { data: { event_type: string } }).data.event_type;
    if (given !== eventType) refuse(`${subject}: /data/event_type is ${given}`, body);
  }
  if (WEBHOOKS.missing.includes(eventType)) return;
  const schema = WEBHOOKS.schemas[eventType];
  if (schema === undefined) refuse(`${subject}: no schema; name its type in scripts/telnyx-subjects.ts`, body);
  checkBody(schema, subject, body);
}

function checkOperation(file: SchemaFile, part: string, operation: string, body: unknown): void {
  const parts = operation.split('/');
  const name = templatesOf(file).find((template) => isMatch(template.parts, parts))?.name;
  const subject = `${part} of ${operation}`;
  if (name === undefined) refuse(`${subject}: no schema; name the operation in scripts/telnyx-subjects.ts`, body);
  const schema = file.schemas[name];
  if (schema !== undefined) checkBody(schema, subject, body);
  else if (body !== undefined) refuse(`${subject}: the operation has no body`, body);
}

/** Returns the operations of a file. Operations with fewer names in their path come first. */
function templatesOf(file: SchemaFile): readonly Template[] {
  const found = templates.get(file);
  if (found !== undefined) return found;
  const made = [...Object.keys(file.schemas), ...file.empty]
    .sort((one, other) => placeholders(one) - placeholders(other))
    .map((name) => ({ name, parts: name.split('/') }));
  templates.set(file, made);
  return made;
}

/** True if the operation has the template's method and path, with any text where the template has a name. */
function isMatch(wanted: readonly string[], given: readonly string[]): boolean {
  if (wanted.length !== given.length) return false;
  return wanted.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]));
}

function placeholders(template: string): number {
  return template.split('{').length;
}

function checkBody(schema: object, subject: string, body: unknown): void {
  const check = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, check);
  if (check(withPublishedStatuses(body))) return;
  refuse(`${subject}: ${(check.errors ?? []).slice(0, 5).map(sentence).join('; ')}`, body);
}

/** Statuses of texts that Telnyx's pages name, and its published types do not. */
const UNPUBLISHED: readonly unknown[] = ['failed', 'gw_timeout', 'dlr_timeout'];

/** Statuses of orders that Telnyx's pages name, and its published types do not. */
const UNPUBLISHED_ENDS: readonly unknown[] = ['cancelled', 'deleted'];

/** Returns the body with statuses of texts, orders and brands as the published types have them. */
function withPublishedStatuses(body: unknown): unknown {
  if (body === undefined) return undefined;
  return JSON.parse(JSON.stringify(body), (name, value) => {
    // The registry may add an identity, and Telnyx's page has one for sole proprietors. Both are replaced by a
    // published one.
    if (name === 'identityStatus' && ['IN_REVIEW', 'PENDING'].includes(value)) return 'UNVERIFIED';
    const isOrder = /^number_order/.test(value?.record_type) && UNPUBLISHED_ENDS.includes(value.status);
    if (isOrder) return { ...value, status: 'failure' };
    // A recipient of a text.
    const isRecipient = value?.line_type !== undefined && UNPUBLISHED.includes(value.status);
    return isRecipient ? { ...value, status: 'delivery_failed' } : value;
  });
}

function sentence({ instancePath, keyword, message, params }: ErrorObject): string {
  if (keyword === 'additionalProperties') return `${instancePath}/${params.additionalProperty} is not a known field`;
  if (keyword === 'required') return `${instancePath}/${params.missingProperty} is missing`;
  const allowed = params.allowedValues ?? params.allowedValue;
  return `${instancePath || 'the body'} ${message}${allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`}`;
}

function refuse(message: string, actual: unknown): never {
  throw new AssertionError({ message, actual });
}

function readSchemas(name: string): SchemaFile {
  return JSON.parse(readFileSync(new URL(`schemas/${name}.json`, import.meta.url), 'utf8'));
}
