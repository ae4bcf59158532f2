/** The Telnyx emulator in a separate process. `startTelnyxProcess` runs it. */
import { parseArgs } from 'node:util';
import { type EmulatorOptions, openEmulator } from './emulator.ts';
import type { TelnyxAddress } from './start-telnyx.ts';

export type EmulatorReady = { readonly ready: TelnyxAddress };

const { positionals } = parseArgs({ allowPositionals: true });
const { url, publicKey } = await openEmulator(JSON.parse(positionals[0] ?? '') as EmulatorOptions);
process.on('disconnect', () => process.exit());
process.send?.({ ready: { url, publicKey } } satisfies EmulatorReady);
