/** The wire carrier in a separate process. `startWireProcess` runs it. */
import { parseArgs } from 'node:util';
import { openWireServer, type WireOptions } from './server.ts';

export type WireReady = { readonly ready: string };

const { positionals } = parseArgs({ allowPositionals: true });
const { url } = await openWireServer(JSON.parse(positionals[0] ?? '') as WireOptions);
process.on('disconnect', () => process.exit());
process.send?.({ ready: url } satisfies WireReady);
