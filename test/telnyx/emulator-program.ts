/** The Telnyx emulator in a process of its own. `startTelnyx` runs it. */
import { parseArgs } from 'node:util';
import { type Emulator, type EmulatorOptions, openEmulator } from './emulator.ts';

export type EmulatorReady = { readonly ready: Emulator };

const { positionals } = parseArgs({ allowPositionals: true });
const ready = await openEmulator(JSON.parse(positionals[0] ?? '') as EmulatorOptions);
process.on('disconnect', () => process.exit());
process.send?.({ ready } satisfies EmulatorReady);
