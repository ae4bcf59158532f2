/** What the adapter and the server of the wire carrier say to each other, over HTTP in JSON. */
import type { CarrierCapability, CarrierEvent } from '../../src/carriers/ports/carrier.ts';

/** What a port operation is for, which decides what an answer that is lost means. */
export type OperationKind = 'command' | 'question' | 'reading';

/** The operations of each capability: `POST /{capability}/{operation}`, with the arguments after the ledger as body. */
export const OPERATIONS: Readonly<Record<CarrierCapability, Readonly<Record<string, OperationKind>>>> = {
  numbers: { search: 'reading', order: 'command', findOrder: 'question', release: 'command' },
  messaging: { send: 'command', findSend: 'question' },
  registry: {
    createBrand: 'command',
    findBrand: 'question',
    createCampaign: 'command',
    findCampaign: 'question',
    endCampaign: 'command',
    assignNumber: 'command',
    unassignNumber: 'command',
  },
  e911: { registerAddress: 'command', findAddress: 'question', removeAddress: 'command', assignAddress: 'command' },
  porting: {
    checkPortability: 'reading',
    submitPortIn: 'command',
    findPortIn: 'question',
    cancelPortIn: 'command',
  },
  voice: {
    dispatch: 'command',
    findCommand: 'question',
    fetchRecording: 'reading',
    fetchUtterance: 'reading',
  },
};

/** The header with the ledger that a request is made for; the server returns its value in the callbacks. */
export const LEDGER_HEADER = 'wire-ledger';

/** What the server posts to the address that `POST /setup` registered: one event, signed as reports are. */
export type Callback = {
  /** The same at each attempt. */
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
