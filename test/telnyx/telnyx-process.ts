import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killed } from '../support/product-process.ts';
import type { EmulatorOptions } from './emulator.ts';
import type { EmulatorReady } from './emulator-program.ts';
import { connectTelnyx, newApiKey, type Telnyx, type TelnyxAddress } from './start-telnyx.ts';

const PROGRAM = fileURLToPath(new URL('emulator-program.ts', import.meta.url));

/** Starts the emulator as `startTelnyx` does, in a separate process. Its time is real. */
export async function startTelnyxProcess(options: Partial<EmulatorOptions> = {}): Promise<Telnyx> {
  const { apiKey = newApiKey() } = options;
  const child = fork(PROGRAM, [JSON.stringify({ ...options, apiKey })], { execArgv: [], stdio: 'inherit' });
  return connectTelnyx(await readyOf(child), apiKey, () => killed(child));
}

function readyOf(child: ChildProcess): Promise<TelnyxAddress> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`the emulator ended at its start: ${signal ?? code}`)));
    child.once('message', ({ ready }: EmulatorReady) => resolve(ready));
  });
}
