import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { compose } from '../src/server/compose.ts';

/** Where an installation without PUBLIC_URL and PORT answers. */
const PUBLIC_URL = 'http://localhost:8080';

/**
 * Makes openapi.json: what GET /v1/openapi.json answers on an installation with default settings. Builds the whole
 * product but starts nothing, so that it needs no database.
 */
export async function openApiDocument(): Promise<string> {
  const product = await compose({
    databaseUrl: 'postgresql://nobody@nowhere.invalid/none',
    secret: 'describes routes and seals nothing',
    log: pino({ level: 'silent' }),
    blobs: { kind: 'folder', folder: join(tmpdir(), 'dialplane-openapi') },
    settings: {
      publicUrl: PUBLIC_URL,
      mediaUrl: PUBLIC_URL.replace('http', 'ws'),
      rateLimit: true,
      allowLocalWebhooks: false,
      trustedProxies: 0,
    },
  });
  try {
    await product.app.ready();
    return `${JSON.stringify(product.app.swagger(), null, 2)}\n`;
  } finally {
    await product.close();
  }
}
