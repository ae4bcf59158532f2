import { randomBytes } from 'node:crypto';
import { skipWhile } from '../support/stepping-time.ts';
import type { Controls } from './controls.ts';
import { type Emulator, type EmulatorOptions, openEmulator } from './emulator.ts';

/** The longest wait of a control: until no person on a call is about to do anything. */
const ANSWER_WITHIN_MS = 120_000;

export type TelnyxAddress = Pick<Emulator, 'url' | 'publicKey'>;

/** A Telnyx emulator that runs. */
export type Telnyx = TelnyxAddress & {
  readonly apiKey: string;
  /** Acts for the people at the other end, and makes the emulator misbehave. */
  readonly control: Controls;
  /** Waits until no person on a call is about to do anything, or until the signal. After it the clock skips no more. */
  untilQuiet(signal: AbortSignal): Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
};

/** Quick, but the reports of a request still come before the reply to it. */
export const QUICK = { roundTripMs: 20, stepMs: 4, retryMs: 20 } as const;

/**
 * Starts the emulator with an empty account, on a free port of loopback unless `port` is given. It runs in this process
 * and on `test/support/emulator-time.ts`. The product and the tests reach it through its sockets alone.
 */
export async function startTelnyx(options: Partial<EmulatorOptions> = {}): Promise<Telnyx> {
  const { apiKey = newApiKey() } = options;
  const { close, ...address } = await openEmulator({ ...options, apiKey });
  return connectTelnyx(address, apiKey, close);
}

export function newApiKey(): string {
  return `KEY${randomBytes(24).toString('hex')}`;
}

/** Returns a running emulator with its controls: each is a request to it. */
export function connectTelnyx(address: TelnyxAddress, apiKey: string, close: () => Promise<void>): Telnyx {
  const ask = (name: string, signal?: AbortSignal) => async (asked: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const to = new URL(`/_control/${name}`, address.url);
    const answer = fetch(to, { method: 'POST', headers, body: JSON.stringify(asked), ...(signal && { signal }) });
    const reply = await skipWhile(answer, ANSWER_WITHIN_MS);
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${body}`);
    return JSON.parse(body);
  };
  const control = new Proxy({} as Controls, { get: (_, name) => ask(String(name)) });
  const untilQuiet = async (signal: AbortSignal) => {
    await ask(
      'callsQuiet',
      signal,
    )({}).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
  return { ...address, apiKey, control, untilQuiet, close };
}
