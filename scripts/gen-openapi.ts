import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { compose } from '../src/server/compose.ts';

/** Address of an installation without PUBLIC_URL and PORT. */
const PUBLIC_URL = 'http://localhost:8080';

/** Makes openapi.json: the reply of GET /v1/openapi.json on an installation with default settings. */
export async function openApiDocument(): Promise<string> {
  return (await openApiDocuments()).publicApi;
}

/**
 * Makes openapi.json and openapi-operator.json, the reply of GET /console/api/openapi.json. Builds the product without
 * starting it, so it needs no database.
 */
export async function openApiDocuments(): Promise<{ publicApi: string; operatorApi: string }> {
  const product = await compose({
    databaseUrl: 'postgresql://nobody@nowhere.invalid/none',
    connectionsMax: 1,
    secret: 'describes routes and seals nothing',
    log: pino({ level: 'silent' }),
    blobs: { kind: 'folder', folder: join(tmpdir(), 'dialplane-openapi') },
    settings: {
      publicUrl: PUBLIC_URL,
      mediaUrl: PUBLIC_URL.replace('http', 'ws'),
      rateLimit: true,
      allowLocalWebhooks: false,
      trustedProxies: 0,
      clientConnectionsMax: 1,
      addressConnectionsMax: 1,
      requestLogDays: 7,
    },
  });
  try {
    await product.app.ready();
    const { app } = product;
    return { publicApi: written(app.swagger()), operatorApi: written(app.consoleSwagger()) };
  } finally {
    await product.close();
  }
}

function written(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
