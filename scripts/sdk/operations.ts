/** The operations of the document as methods of the SDK. */
import { componentName, type Document, type Operation, type Parameter, resolve, type Schema } from './document.ts';
import { camel, type MethodName, methodName, upperFirst } from './names.ts';

/** A type of a request or a reply: its name, and its declaration unless it is a component of the document. */
type NamedType = { name: string; schema?: Schema };

export type Method = MethodName & {
  tag: string;
  summary: string;
  verb: string;
  /** The path, with `{number_id}` for each argument. */
  path: string;
  pathArguments: readonly string[];
  query?: NamedType & { isRequired: boolean };
  body?: NamedType & { isRequired: boolean };
  /** Media types of a body that is a file. */
  fileTypes?: readonly string[];
  reply: { kind: 'json' | 'page' | 'file' | 'none'; type?: NamedType };
};

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns a method for every operation of the document. Refuses two operations of one name. */
export function methodsOf(document: Document): Method[] {
  const methods: Method[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      if (!VERBS.includes(verb)) throw new Error(`the generator does not know ${verb} ${path}`);
      methods.push(methodOf(document, { path, verb, operation }));
    }
  }
  const names = methods.map(({ group, method }) => `${group}.${method}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two operations are called ${twice}: name one in scripts/sdk/names.ts`);
  return methods;
}

type Place = { path: string; verb: string; operation: Operation };

function methodOf(document: Document, { path, verb, operation }: Place): Method {
  const typeName = upperFirst(operation.operationId);
  const pathArguments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => camel(name as string));
  return {
    ...methodName(operation.operationId, operation.tags[0]),
    tag: operation.tags[0],
    summary: sentence(operation.summary),
    verb: verb.toUpperCase(),
    path,
    pathArguments,
    ...queryOf(operation, typeName),
    ...bodyOf(document, { path, verb, operation }, typeName),
    reply: replyOf(document, operation, typeName),
  };
}

function queryOf({ parameters = [] }: Operation, typeName: string): Pick<Method, 'query'> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return {};
  const required = inQuery.filter((parameter) => parameter.required === true).map(({ name }) => name);
  const schema: Schema = { type: 'object', properties: Object.fromEntries(inQuery.map(describe)), required };
  return { query: { name: `${typeName}Query`, schema, isRequired: required.length > 0 } };
}

const describe = ({ name, description, schema }: Parameter): [string, Schema] => {
  return [name, description === undefined ? schema : { ...schema, description }];
};

function bodyOf(document: Document, { verb, operation }: Place, typeName: string): Pick<Method, 'body' | 'fileTypes'> {
  const { requestBody } = operation;
  if (requestBody === undefined) return {};
  const schema = requestBody.content['application/json']?.schema;
  if (schema === undefined) return { fileTypes: Object.keys(requestBody.content) };
  // An update without fields would do nothing, so its body is required though no single field is.
  const isRequired = verb !== 'post' || (resolve(document, schema).required ?? []).length > 0;
  return { body: { ...named(schema, `${typeName}Request`), isRequired } };
}

function replyOf(document: Document, { responses }: Operation, typeName: string): Method['reply'] {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  if (content === undefined) return typeName === 'GetOpenApiDocument' ? { kind: 'json' } : { kind: 'none' };
  const schema = content['application/json']?.schema;
  if (schema === undefined) return { kind: 'file' };
  const { properties } = resolve(document, schema);
  if (properties?.['data'] !== undefined && properties['next_cursor'] !== undefined && isPage(properties)) {
    return { kind: 'page', type: named(properties['data'].items ?? {}, `${typeName}Item`) };
  }
  return { kind: 'json', type: named(schema, `${typeName}Reply`) };
}

/** A page has only its rows and its cursor. */
function isPage(properties: Readonly<Record<string, Schema>>): boolean {
  return Object.keys(properties).every((name) => ['object', 'data', 'has_more', 'next_cursor'].includes(name));
}

function named(schema: Schema, name: string): NamedType {
  const component = componentName(schema);
  return component === undefined ? { name, schema } : { name: component };
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);
