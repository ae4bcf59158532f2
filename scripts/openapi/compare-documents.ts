/** Changes between two OpenAPI documents that break callers. */
import { compareSchemas, type Schema, type Writer } from './compare-schemas.ts';

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Body = { readonly required?: boolean; readonly content?: Content };
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-key-access'?: string;
  readonly 'x-body-bytes-max'?: number;
};
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
export type Document = {
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

type Versions = { readonly before: Document; readonly after: Document };

/** Returns what breaks callers or receivers of events, a sentence each. An addition breaks nothing. */
export function breakingChanges(before: Document, after: Document): string[] {
  const versions = { before, after };
  return [
    ...eachOperation(before.paths).flatMap(([path, method, old]) => {
      const place = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now === undefined ? [`${place} is gone`] : compareOperations(versions, old, now, place);
    }),
    ...eachOperation(before.webhooks).flatMap(([type, method, old]) => {
      const now = after.webhooks[type]?.[method];
      if (now === undefined) return [`the event ${type} is gone`];
      return compareContent(versions, [old.requestBody, now.requestBody], 'server', `the event ${type}`);
    }),
    ...Object.keys(before.components.schemas)
      .filter((name) => !(name in after.components.schemas))
      .map((name) => `the schema ${name} is gone: clients have a type of this name`),
  ];
}

function eachOperation(paths: Paths): [string, string, Operation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );
}

function compareOperations(versions: Versions, old: Operation, now: Operation, place: string): string[] {
  const found: string[] = [];
  if (old.operationId !== now.operationId) found.push(`${place}: the operationId was ${old.operationId}`);
  if (now['x-key-access'] !== undefined && now['x-key-access'] !== old['x-key-access'])
    found.push(`${place} needs a key of the account now`);
  if ((now['x-body-bytes-max'] ?? Infinity) < (old['x-body-bytes-max'] ?? 0))
    found.push(`${place} takes shorter bodies`);
  if (now.requestBody?.required === true && old.requestBody?.required !== true) found.push(`${place} needs a body now`);
  found.push(...compareParameters(versions, [old, now], place));
  found.push(...compareContent(versions, [old.requestBody, now.requestBody], 'caller', `${place} body`));
  for (const [status, reply] of Object.entries(old.responses).filter(([status]) => status.startsWith('2'))) {
    const other = now.responses[status];
    if (other === undefined) found.push(`${place} no longer replies ${status}`);
    else found.push(...compareContent(versions, [reply, other], 'server', `${place} ${status}`));
  }
  return found;
}

function compareParameters(versions: Versions, [old, now]: [Operation, Operation], place: string): string[] {
  const before = parametersOf(versions.before, old);
  const after = parametersOf(versions.after, now);
  const gone = [...before.keys()]
    .filter((key) => !after.has(key))
    .map((key) => `${place}: the parameter ${key} is gone`);
  const changed = [...after].flatMap(([key, parameter]) => {
    const known = before.get(key);
    const isDemanded = parameter.required === true && known?.required !== true;
    const demanded = isDemanded ? [`${place}: the parameter ${key} is required now`] : [];
    if (known === undefined) return demanded;
    const located = (document: Document, schema: Schema) => ({ schema, schemas: document.components.schemas });
    const pair = [located(versions.before, known.schema), located(versions.after, parameter.schema)] as const;
    return [...demanded, ...compareSchemas(pair[0], pair[1], 'caller', `${place} ${key}`)];
  });
  return [...gone, ...changed];
}

function parametersOf({ components }: Document, { parameters = [] }: Operation): Map<string, Parameter> {
  const resolved = parameters.map((parameter) =>
    '$ref' in parameter ? (components.parameters[parameter.$ref.split('/').at(-1) as string] as Parameter) : parameter,
  );
  return new Map(resolved.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

type Bodies = readonly [Body | undefined, Body | undefined];

function compareContent({ before, after }: Versions, [old, now]: Bodies, writer: Writer, place: string): string[] {
  return Object.entries(old?.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const other = now?.content?.[type];
    if (other === undefined) return [`${place}: ${type} is gone`];
    return compareSchemas(
      { schema, schemas: before.components.schemas },
      { schema: other.schema ?? {}, schemas: after.components.schemas },
      writer,
      place,
    );
  });
}
