/**
 * Records the examples of the OpenAPI document anew: `npm run gen:examples`. Runs their test, which executes them
 * against a server of its own, and has it write what it recorded. Then `npm run gen` puts them into openapi.json.
 */
import { env } from 'node:process';

env['DIALPLANE_WRITE_EXAMPLES'] = '1';
process.argv.push('test/contract/replies.test.ts');
await import('./test.ts');
