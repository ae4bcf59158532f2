import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { ERRORS } from '../lib/errors.ts';
import { ErrorEnvelope } from './schemas.ts';
import type { Api } from './types.ts';

/** Keywords of ours that steer validation; the published document does without them. */
const OWN_KEYWORDS = new Set(['errorCode', 'missingCode', '$id', '~kind', '~optional']);

const ERROR_REPLY = {
  description: `An error; code is one of: ${Object.keys(ERRORS).join(', ')}.`,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Collects the schemas of all routes added later into the OpenAPI 3.1 document that `app.swagger()` returns. */
export async function collectOpenApi(app: Api, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Dialplane',
        version: '1',
        description: 'Phone numbers, texts and calls for every customer of a software platform.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      security: [{ key: [] }],
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'svc_test_… or svc_live_…' } },
        schemas: { Error: published(ErrorEnvelope) as object },
      },
    },
    transform: ({ schema, url }) => ({ schema: published(schema ?? {}) as FastifySchema, url }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      for (const path of Object.values(document.openapiObject.paths ?? {})) {
        for (const operation of Object.values(path ?? {})) {
          if (isOperation(operation)) operation.responses['default'] = ERROR_REPLY;
        }
      }
      return document.openapiObject;
    },
  });
}

function isOperation(value: unknown): value is { responses: Record<string, unknown> } {
  return typeof value === 'object' && value !== null && 'responses' in value;
}

function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !OWN_KEYWORDS.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, published(inner)]));
}
