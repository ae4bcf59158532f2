/** The OpenAPI document in the form that the contract tests need. */
import { openApiDocument } from '../../scripts/gen-openapi.ts';
import { BODY_BYTES_MAX } from '../../src/http/edge/body-limits.ts';
import type { Document, JsonSchema, Operation } from '../../src/http/openapi/types.ts';
import { resolveAll, resolveReference } from '../support/references.ts';

export const documentText = await openApiDocument();
export const document: Document = JSON.parse(documentText);

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: JsonSchema };

export type Route = {
  /** `POST /v1/messages` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  /** Schema of the body, if the operation takes one. */
  readonly body: BodySchema | undefined;
  /** True if the body is a file. */
  readonly takesFile: boolean;
  readonly isPublic: boolean;
  readonly testOnly: boolean;
  readonly accountOnly: boolean;
};

type BodySchema = JsonSchema & {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

export const routes: readonly Route[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    parameters: (operation.parameters ?? []).map((parameter) => resolve(parameter) as Parameter),
    body: resolveAll(document, operation.requestBody?.content['application/json']?.schema) as BodySchema | undefined,
    takesFile: takesFile(operation),
    isPublic: operation.security?.length === 0,
    testOnly: operation['x-key-mode'] === 'test',
    accountOnly: operation['x-key-access'] === 'account',
  })),
);

function takesFile({ requestBody }: Operation): boolean {
  return requestBody !== undefined && !('application/json' in requestBody.content);
}

export const keyedRoutes = routes.filter((route) => !route.isPublic);
export const posts = keyedRoutes.filter((route) => route.method === 'POST');

/** True if requests of the route may have a body. */
export function takesBody({ method }: Route): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(method);
}

/** The longest body that the route takes, in bytes. */
export function bodyBytesMax({ operation }: Route): number {
  return operation['x-body-bytes-max'] ?? BODY_BYTES_MAX;
}

export function queryNames({ parameters }: Route): string[] {
  return parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
}

/** Resolves a `$ref` into the components. */
export function resolve(value: object): object {
  return resolveReference(document, value);
}
