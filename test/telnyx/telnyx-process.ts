import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { killed } from '../support/product-process.ts';
import type { Controls } from './controls.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import type { EmulatorReady } from './emulator-program.ts';

/** The Telnyx emulator as a child process. */
export type Telnyx = Emulator & {
  readonly apiKey: string;
  /** Acts for the people at the other end, and makes the emulator misbehave. */
  readonly control: Controls;
  /** Kills the process. */
  close(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('emulator-program.ts', import.meta.url));

/** Starts the emulator with an empty account, on a free port of loopback unless `port` is given. */
export async function startTelnyx(options: Partial<EmulatorOptions> = {}): Promise<Telnyx> {
  const { apiKey = `KEY${randomBytes(24).toString('hex')}` } = options;
  const child = fork(PROGRAM, [JSON.stringify({ ...options, apiKey })], { execArgv: [], stdio: 'inherit' });
  const emulator = await readyOf(child);
  return { ...emulator, apiKey, control: createControl(emulator.url, apiKey), close: () => killed(child) };
}

function readyOf(child: ChildProcess): Promise<Emulator> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`the emulator ended at its start: ${signal ?? code}`)));
    child.once('message', ({ ready }: EmulatorReady) => resolve(ready));
  });
}

/** Returns the controls of an emulator: each is a request to it. */
function createControl(url: string, apiKey: string): Controls {
  const ask = (name: string) => async (asked: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const address = new URL(`/_control/${name}`, url);
    const reply = await fetch(address, { method: 'POST', headers, body: JSON.stringify(asked) });
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${body}`);
    return JSON.parse(body);
  };
  return new Proxy({} as Controls, { get: (_, name) => ask(String(name)) });
}
