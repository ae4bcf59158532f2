/**
 * The messages between the adapter and the server of the wire carrier, over HTTP in JSON. A port's operation is `POST
 * /{capability}/{operation}`, with its arguments after the ledger as the body.
 */
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';

/** The header with the ledger that a request is made for; the server returns its value in the callbacks. */
export const LEDGER_HEADER = 'wire-ledger';

/** The body that the server posts to the address that `POST /setup` registered: one event, signed as reports are. */
export type Callback = {
  /** The id is the same at each attempt. */
  readonly id: string;
  /** The call, text or other thing that it is about. */
  readonly key: string;
  readonly ledger: string;
  readonly event: CarrierEvent;
};

/** Turns a value into text that `decode` reads. */
export function encode(value: unknown): string {
  return JSON.stringify(value);
}

const DATES: ReadonlySet<string> = new Set(['submittedAt', 'focDate', 'startedAt', 'endedAt', 'occurredAt']);

/** Reads a value with its moments as dates. Throws SyntaxError. */
export function decode(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) =>
    DATES.has(key) && typeof value === 'string' ? new Date(value) : value,
  );
}
