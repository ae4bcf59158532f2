/**
 * Records the examples of the OpenAPI document again: `npm run gen:examples`. Runs their test, which executes them
 * against a separate server, and has it write the recorded requests and replies. Then `npm run gen` puts them into
 * openapi.json.
 */
import { env } from 'node:process';

env['DIALPLANE_WRITE_EXAMPLES'] = '1';
process.argv.push('test/contract/replies.test.ts');
await import('./test.ts');
