import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killed } from '../support/product-process.ts';
import type { WireReady } from './server-program.ts';
import { runWire, type Wire, type WireSettings } from './start-wire.ts';

const PROGRAM = fileURLToPath(new URL('server-program.ts', import.meta.url));

/** Starts the wire carrier as `startWire` does, in a separate process. Its time is real. */
export function startWireProcess(settings: WireSettings = {}): Promise<Wire> {
  return runWire(settings, async (options) => {
    const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: [], stdio: 'inherit' });
    return { url: await addressOf(child), close: () => killed(child) };
  });
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`the wire carrier ended at its start: ${signal ?? code}`)));
    child.once('message', ({ ready }: WireReady) => resolve(ready));
  });
}
