import { reference } from './components.ts';
import type { Document, JsonSchema, Operation } from './types.ts';

/** Names of list items that are not resources, by operationId. */
const ITEM_NAMES: Readonly<Record<string, string>> = {
  upsertContacts: 'ContactUpsertResult',
  search: 'SearchResult',
  searchAvailableNumbers: 'AvailableNumber',
  checkPortability: 'NumberPortability',
  getConversationTimeline: 'TimelineItem',
  listMessageAttempts: 'MessageAttempt',
  listPrices: 'Price',
  listTestOutbox: 'TestOutboxText',
  checkConnection: 'ConnectionFinding',
};

type Paths = Document['paths'];
type Content = { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> };

/**
 * Names the JSON bodies of requests and replies that are not resources. `sendMessage` has the body SendMessage. A page
 * of messages is a MessagePage; a list without pages is a PortInDocumentList. Any other reply is named after its
 * operation: CheckMessageReply.
 * @param taken the names of other components
 * @returns the paths with references to the bodies, and the bodies by name
 */
export function nameBodies(paths: Paths, taken: object): { paths: Paths; schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  const add = (name: string, schema: JsonSchema) => {
    const known = schemas[name];
    const isOther = known !== undefined && JSON.stringify(known) !== JSON.stringify(schema);
    if (name in taken || isOther) throw new Error(`two schemas of the OpenAPI document are called ${name}`);
    schemas[name] = schema;
    return reference('schemas', name);
  };
  const named = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const place = `\`${method.toUpperCase()} ${path}\``;
      return [method, nameInOperation(operation, { place, add })] as const;
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return { paths: Object.fromEntries(named), schemas };
}

type Naming = { readonly place: string; readonly add: (name: string, schema: JsonSchema) => JsonSchema };

function nameInOperation(operation: Operation, naming: Naming): Operation {
  const { requestBody, responses } = operation;
  const id = operation.operationId as string;
  const replies = Object.entries(responses).map(([status, reply]) => [
    status,
    replaceJson(reply, (schema) => nameReply(id, schema, naming)),
  ]);
  return {
    ...operation,
    ...(requestBody && { requestBody: replaceJson(requestBody, (schema) => nameRequest(id, schema, naming)) }),
    responses: Object.fromEntries(replies),
  };
}

function nameRequest(operationId: string, schema: JsonSchema, { place, add }: Naming): JsonSchema {
  return add(upperFirst(operationId), { description: `The body of ${place}.`, ...schema });
}

function nameReply(operationId: string, schema: JsonSchema, { place, add }: Naming): JsonSchema {
  const { data, next_cursor } = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  if (data?.['type'] !== 'array') {
    return add(`${upperFirst(operationId)}Reply`, { description: `The reply to ${place}.`, ...schema });
  }
  const items = data['items'] as JsonSchema;
  const item = componentOf(items) ?? ITEM_NAMES[operationId];
  if (item === undefined) throw new Error(`${place} lists items without a name: name them in ITEM_NAMES`);
  const refer = componentOf(items) === undefined ? add(item, items) : items;
  const properties = { ...(schema['properties'] as object), data: { ...data, items: refer } };
  return add(`${item}${next_cursor === undefined ? 'List' : 'Page'}`, { ...schema, properties });
}

/** Replaces the JSON schema of a body, unless it is a component already. */
function replaceJson<Body extends object>(body: Body, replace: (schema: JsonSchema) => JsonSchema): Body {
  const { content } = body as Content;
  const json = content?.['application/json'];
  if (json === undefined || componentOf(json.schema) !== undefined) return body;
  return { ...body, content: { ...content, 'application/json': { ...json, schema: replace(json.schema) } } };
}

function componentOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
