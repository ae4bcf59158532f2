/** Writes the part of `@dialplane/sdk` that follows from openapi.json: its types, and a method for each operation. */
import { componentName, type Document, resolve, type Schema } from './sdk/document.ts';
import { upperFirst } from './sdk/names.ts';
import { type Method, methodsOf } from './sdk/operations.ts';
import { declaration, docComment } from './sdk/types.ts';

const HEAD = '// Made from openapi.json by `npm run gen`. Edit the document, not this file.\n';

/** Makes `schemas.ts`: resources, events and error codes. */
export function sdkSchemas(text: string): string {
  const document: Document = JSON.parse(text);
  const { Error: error, Event: event, ...others } = document.components.schemas;
  const schemas = Object.entries(others).filter(([name]) => !isMadeHere(event ?? {}, name));
  const inner = error?.properties?.['error'] ?? {};
  const codes = inner.properties?.['code']?.['x-extensible-enum'] ?? [];
  const requests = requestComponents(document);
  return [
    HEAD,
    `/** The codes of the API's errors. More will be added. */\nexport type ApiErrorCode =\n${alternatives(codes)};\n`,
    declaration('ApiErrorBody', { ...inner, description: 'What the API says about an error.' }, 'reply'),
    ...schemas.map(([name, schema]) => declaration(name, schema, requests.has(name) ? 'request' : 'reply')),
    events(document, event ?? {}),
  ].join('\n');
}

/** Makes `requests.ts`: bodies, queries and replies that are no resource. */
export function sdkRequests(text: string): string {
  const document: Document = JSON.parse(text);
  const declarations: string[] = [];
  for (const method of methodsOf(document)) {
    const operation = `\`${method.verb} ${method.path}\``;
    const add = (type: { name: string; schema?: Schema } | undefined, use: 'request' | 'reply', what: string) => {
      if (type?.schema === undefined) return;
      const description = type.schema.description ?? `${what} of ${operation}.`;
      declarations.push(declaration(type.name, { ...type.schema, description }, use));
    };
    add(method.query, 'request', 'The query');
    add(method.body, 'request', 'The body');
    add(method.reply.type, 'reply', method.reply.kind === 'page' ? 'An item' : 'The reply');
  }
  const used = Object.keys(document.components.schemas).filter((name) =>
    declarations.some((declaration) => new RegExp(`\\b${name}\\b`).test(declaration)),
  );
  const imports = used.length === 0 ? '' : `import type { ${used.join(', ')} } from './schemas.ts';\n`;
  return `${HEAD}${imports}\n${declarations.join('\n')}`;
}

/** Makes `resources.ts`: a class for each group of operations, and the base of the client that has them. */
export function sdkResources(text: string): string {
  const document: Document = JSON.parse(text);
  const methods = methodsOf(document);
  const groups = [...new Set(methods.map(({ group }) => group))];
  const classes = groups.map((group) => resourceClass(document, group, methods));
  const code = classes.join('\n');
  const imports = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  const named = methods.flatMap(({ query, body, reply }) => [query, body, reply.type]);
  const ownNames = named.flatMap((type) => (type?.schema === undefined ? [] : [type.name]));
  const fields = groups.map((group) => `  readonly ${group}: ${classOf(group)};\n`).join('');
  const assignments = groups.map((group) => `    this.${group} = new ${classOf(group)}(transport);\n`).join('');
  return [
    HEAD,
    `import type { FileBody, RequestOptions, Requester } from '../requester.ts';\n`,
    `import { segment } from '../requester.ts';\nimport type { Pages } from '../pages.ts';\n`,
    `import type {\n  ${imports(ownNames).join(',\n  ')},\n} from './requests.ts';\n`,
    `import type {\n  ${imports(Object.keys(document.components.schemas)).join(',\n  ')},\n} from './schemas.ts';\n\n`,
    `${code}\n`,
    '/** The operations of the API, by resource. */\n',
    `export class Resources {\n${fields}\n  constructor(transport: Requester) {\n${assignments}  }\n}\n`,
  ].join('');
}

const classOf = (group: string) => `${upperFirst(group)}Resource`;

function resourceClass(document: Document, group: string, methods: readonly Method[]): string {
  const inGroup = methods.filter((method) => method.group === group);
  const tag = document.tags.find(({ name }) => name === inGroup[0]?.tag);
  return [
    docComment(tag?.description),
    `export class ${classOf(group)} {\n`,
    `  readonly #api: Requester;\n\n  constructor(api: Requester) {\n    this.#api = api;\n  }\n`,
    ...inGroup.map((method) => `\n${methodCode(method)}`),
    '}\n',
  ].join('');
}

function methodCode(method: Method): string {
  const { verb, path, pathArguments, query, body, fileTypes, reply } = method;
  const mark = (field: { isRequired: boolean }) => (field.isRequired ? '' : '?');
  const parameters = [
    ...pathArguments.map((name) => `${name}: string`),
    ...(fileTypes ? [`file: FileBody<${fileTypes.map((type) => `'${type}'`).join(' | ')}>`] : []),
    ...(body ? [`body${mark(body)}: ${body.name}`] : []),
    ...(query ? [`query${mark(query)}: ${query.name}`] : []),
    'options?: RequestOptions',
  ].join(', ');
  const address = pathArguments.length === 0 ? `'${path}'` : `\`${templateOf(path, pathArguments)}\``;
  const parts = [...(query ? ['query'] : []), ...(body ? ['body'] : []), ...(fileTypes ? ['file'] : [])];
  const input = `{ ${[...parts, 'options'].join(', ')} }`;
  const doc = docComment(`${method.summary} \`${verb} ${path}\``, '  ');
  const type = reply.type?.name ?? (reply.kind === 'none' ? 'void' : 'unknown');
  const [result, call] = {
    page: [`Pages<${type}>`, `this.#api.page(${address}, ${input})`],
    file: ['Promise<Response>', `this.#api.open(${address}, ${input})`],
    json: [`Promise<${type}>`, `this.#api.send('${verb}', ${address}, ${input})`],
    none: [`Promise<${type}>`, `this.#api.send('${verb}', ${address}, ${input})`],
  }[reply.kind] as [string, string];
  return `${doc}  ${method.method}(${parameters}): ${result} {\n    return ${call};\n  }\n`;
}

function templateOf(path: string, names: readonly string[]): string {
  let index = 0;
  return path.replaceAll(/\{\w+\}/g, () => `\${segment(${names[index]}, '${names[index++]}')}`);
}

/** The types of events: from a union in the document if it has one, otherwise from its webhooks. */
function events(document: Document, event: Schema): string {
  const types = Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema ?? {};
    return `${docComment(post.summary, '  ')}  '${type}': ${dataType(document, schema)};\n`;
  });
  const { type: _, data: __, ...fields } = envelopeOf(document, event).properties ?? {};
  const required = Object.keys(fields);
  return [
    `/** The \`data\` of each type of event. */\nexport interface EventData {\n${types.join('')}}\n`,
    '/** The types of events. More will be added: ignore a type that you do not know. */',
    'export type EventType = keyof EventData;\n',
    declaration(
      'EventEnvelope',
      { type: 'object', description: 'What all events have.', properties: fields, required },
      'reply',
    ),
    '/** An event of one type. */',
    'export type EventOf<T extends EventType> = EventEnvelope & { type: T; data: EventData[T] };\n',
    '/** An event; `type` says what is in `data`. */',
    'export type Event = { [T in EventType]: EventOf<T> }[EventType];\n',
  ].join('\n');
}

/** Returns the schema of all fields of events, also where the document has a union of one schema for each type. */
function envelopeOf(document: Document, event: Schema): Schema {
  const first = event.oneOf?.[0] ?? event.anyOf?.[0];
  return first === undefined ? event : flatten(document, first);
}

function dataType(document: Document, schema: Schema): string {
  const data = flatten(document, schema).properties?.['data'];
  const name = data === undefined ? undefined : componentName(data);
  if (name === undefined) throw new Error('the data of an event is no named schema');
  return name;
}

/** Returns a schema with the properties of all its `allOf`. */
function flatten(document: Document, schema: Schema): Schema {
  const { properties = {}, allOf = [] } = resolve(document, schema);
  const all = [...allOf.map((part) => flatten(document, part).properties ?? {}), properties];
  return { type: 'object', properties: Object.assign({}, ...all) };
}

/** Returns the components that callers send: bodies, and what bodies refer to. */
export function requestComponents(document: Document): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = componentName(value as Schema);
    if (typeof name === 'string' && name in document.components.schemas && !found.has(name)) {
      found.add(name);
      visit(document.components.schemas[name]);
    }
    for (const part of Object.values(value)) visit(part);
  };
  for (const operations of Object.values(document.paths)) {
    for (const { requestBody } of Object.values(operations)) visit(requestBody);
  }
  return found;
}

/** Returns true for a schema whose type the SDK has in another form: `EventOf` for each event type, and `Page`. */
function isMadeHere({ oneOf = [] }: Schema, name: string): boolean {
  return name.endsWith('Page') || oneOf.some((variant) => componentName(variant) === name);
}

const alternatives = (codes: readonly string[]) => codes.map((code) => `  | '${code}'`).join('\n');
