import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { Api, RoutePlugin } from '../edge/types.ts';
import { type ApiKind, CONSOLE_API_KIND, PUBLIC_API } from './api-kinds.ts';
import { nameBodies } from './bodies.ts';
import { nameResources, publishedSchema, referToComponents, usedComponents } from './components.ts';
import { codesOfInput, describeGeneralErrors } from './describe.ts';
import { addExample, addSamples } from './examples.ts';
import { completeOperation, isMethod } from './operations.ts';
import { SHARED_COMPONENTS, TAGS } from './shared-parts.ts';
import { describeField, describeFields } from './texts/fields.ts';
import type { Document, JsonSchema, Operation, PathItem } from './types.ts';
import { describeWebhooks, type EventDescription, eventSchemas, publishedData, SIGNATURE_HEADERS } from './webhooks.ts';

const DESCRIPTION =
  'Phone numbers, texts and calls for every customer of a software platform. Times are RFC 3339 in UTC; unknown ' +
  'fields and parameters are refused; lists are paged by limit and after. The samples use `API`, `KEY`, `client` and ' +
  `\`api\` of the [quickstart](/docs/quickstart#set-up).\n\n${describeGeneralErrors(PUBLIC_API)}`;

const CONSOLE_DESCRIPTION =
  'What the console in the browser needs beside the public API, which it has below ' +
  '`/console/api/ledgers/{account_id}/{mode}/v1`: sessions, accounts, and what operators see of the installation. It ' +
  `may change with any version.\n\n${describeGeneralErrors(CONSOLE_API_KIND)}`;

const INFO = {
  version: '1',
  contact: { name: 'The operator of this server' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export type OpenApiOptions = {
  readonly publicUrl: string;
  readonly events: readonly EventDescription[];
};

/**
 * Collects the schemas of all routes that are added later. `app.swagger()` returns the OpenAPI 3.1 document of the
 * public API, `app.consoleSwagger()` the document of the console's own API.
 */
export async function collectOpenApi(app: Api, { publicUrl, events }: OpenApiOptions): Promise<void> {
  const openapi = { openapi: '3.1.0', servers: [{ url: publicUrl }] };
  await app.register(swagger, {
    openapi: { ...openapi, info: { title: 'Dialplane', description: DESCRIPTION, ...INFO } },
    ...documentOf(PUBLIC_API, events),
  });
  await app.register(swagger, {
    decorator: 'consoleSwagger',
    openapi: { ...openapi, info: { title: 'Dialplane console', description: CONSOLE_DESCRIPTION, ...INFO } },
    ...documentOf(CONSOLE_API_KIND, []),
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    consoleSwagger(): object;
  }
}

/**
 * Returns two functions of the plugin for one API. One selects the API's operations, the other completes its document.
 */
function documentOf(
  api: ApiKind,
  events: readonly EventDescription[],
): Pick<FastifyDynamicSwaggerOptions, 'transform' | 'transformObject'> {
  return {
    transform: ({ schema, url, route }) => {
      if (!url.startsWith(`${api.base}/`)) return { schema: { hide: true }, url };
      const published = publishedSchema(schema ?? {}) as FastifySchema;
      const codes = { 'x-error-codes': codesOfInput(schema ?? {}) };
      return { schema: { ...published, ...keyNeeds(route.config ?? {}), ...bodyLimitOf(route), ...codes }, url };
    },
    transformObject: (source) => {
      if (!('openapiObject' in source)) return source.swaggerObject;
      return complete(api, source.openapiObject as unknown as Document, events) as object;
    },
  };
}

/** GET /v1/openapi.json: the OpenAPI 3.1 document of the running version, without a key. */
export const openApiRoute: RoutePlugin = documentRoute((api) => api.swagger());

/** GET /console/api/openapi.json: the same for the console's own API. */
export const operatorApiRoute: RoutePlugin = documentRoute((api) => api.consoleSwagger());

function documentRoute(documentOf: (api: Api) => object): RoutePlugin {
  return (api) => {
    let document: string | undefined;
    api.get(
      '/openapi.json',
      { config: { public: true }, schema: { tags: ['Service'], summary: 'This description', security: [] } },
      (_request, reply) => {
        // Routes cannot be added after the server listens, so the first document stays valid.
        document ??= JSON.stringify(documentOf(api));
        return reply.type('application/json; charset=utf-8').send(document);
      },
    );
  };
}

/**
 * Returns the kind of key or session that a route needs, as extensions of the document. Clients and tests can read
 * them.
 */
function keyNeeds({ access, testOnly, public: isPublic }: Partial<FastifyContextConfig>): object {
  return {
    ...(isPublic && { security: [] }),
    ...(access === 'account' && { 'x-key-access': access }),
    ...((access === 'operator' || access === 'admin') && { 'x-session-role': access }),
    ...(testOnly && { 'x-key-mode': 'test' }),
  };
}

/** Returns the maximum body size of a route with a specific limit. */
function bodyLimitOf({ bodyLimit }: { bodyLimit?: number | undefined }): object {
  return bodyLimit === undefined ? {} : { 'x-body-bytes-max': bodyLimit };
}

function complete(
  api: ApiKind,
  { paths: collected, ...document }: Document,
  events: readonly EventDescription[],
): Document {
  const completed = Object.entries(collected).map(([path, item]) => [path, completePath(api, path, item)]);
  const { paths: named, schemas } = nameSchemas(Object.fromEntries(completed), events);
  const illustrate = api === PUBLIC_API ? (operation: Operation) => addSamples(addExample(operation)) : addExample;
  const paths = mapOperations(named, (operation) => illustrate(describeParameters(operation)));
  const used = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags = [] }) => tags)));
  const all = {
    ...SHARED_COMPONENTS,
    parameters: { ...SHARED_COMPONENTS.parameters, ...SIGNATURE_HEADERS },
    schemas: describeFields(schemas) as Record<string, JsonSchema>,
  };
  const webhooks = describeWebhooks(events);
  return {
    ...document,
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    ...(events.length > 0 && { webhooks }),
    components: usedComponents(all, { paths, webhooks }, api.security),
  };
}

/** Makes components of the schemas that become types in clients, and names them. */
function nameSchemas(
  inline: Document['paths'],
  events: readonly EventDescription[],
): { paths: Document['paths']; schemas: Record<string, JsonSchema> } {
  const declared = new Map<string, JsonSchema>();
  const paths = referToComponents(inline, declared) as Document['paths'];
  const data = referToComponents(publishedData(events), declared) as unknown[];
  const { schemas: resources, refer } = nameResources([Object.values(paths).flatMap(responsesOf), data]);
  const isOfEvents = events.length > 0;
  const typed = isOfEvents ? eventSchemas(events, resources['Event'] as JsonSchema, refer(data) as unknown[]) : {};
  const others = { ...SHARED_COMPONENTS.schemas, ...resources, ...typed, ...Object.fromEntries(declared) };
  const bodies = nameBodies(refer(paths) as Document['paths'], others);
  const schemas = Object.entries({ ...others, ...bodies.schemas }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: bodies.paths, schemas: Object.fromEntries(schemas) };
}

function describeParameters({ parameters, ...operation }: Operation): Operation {
  if (parameters === undefined) return operation;
  const described = parameters.map((parameter) => describeField(String((parameter as Parameter).name), parameter));
  return { ...operation, parameters: described };
}

type Parameter = { readonly name?: string };

function mapOperations(paths: Document['paths'], change: (operation: Operation) => Operation): Document['paths'] {
  const changed = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [method, change(operation)]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(changed);
}

function completePath(api: ApiKind, path: string, item: PathItem): PathItem {
  const operations = Object.entries(item).filter(([method]) => isMethod(method));
  return Object.fromEntries(
    operations.map(([method, operation]) => [method, completeOperation(api, { method, path }, operation)]),
  );
}

function responsesOf(item: PathItem): unknown[] {
  return Object.values(item).map((operation) => operation.responses);
}
