// Generates a client with zod schemas that check every request and reply: `generate-hey-api.mjs DOCUMENT FOLDER`.
import process from 'node:process';
import { createClient } from '@hey-api/openapi-ts';

const [, , input, path] = process.argv;
await createClient({
  input,
  output: { path, module: { extension: '.js' } },
  logs: { level: 'silent' },
  plugins: ['@hey-api/typescript', '@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: 'zod' }],
});
