/** The messages between a call's relay and its agent. Their names and fields are in docs/relay.md. */
import { DialplaneError, parseJson } from './errors.ts';

/** The first message: identifies the call. */
export type RelaySetup = {
  type: 'setup';
  /** The id of the relay. */
  sessionId: string;
  /** The id of the call. */
  callSid: string;
  accountSid: string;
  from: string;
  to: string;
  callerName: string;
  direction: string;
  /** The `parameters` of the relay. */
  customParameters: Record<string, string>;
};

/** The words of the customer. */
export type RelayPrompt = {
  type: 'prompt';
  voicePrompt: string;
  lang: string;
  /** False if the customer has not finished. */
  last: boolean;
};

/** A key that the customer has pressed. */
export type RelayDtmf = { type: 'dtmf'; digit: string };

/** The customer has interrupted. */
export type RelayInterrupt = {
  type: 'interrupt';
  /** The part of the text that the customer has heard. */
  utteranceUntilInterrupt: string;
  durationUntilInterruptMs: number;
  /** The file that was being played, and the position in the file. */
  source?: string;
  sourceUntilInterruptMs?: number;
};

/** An error that the server reported or a handler threw. In the second case `cause` is the thrown value. */
export type RelayError = { type: 'error'; description: string; cause?: unknown };

/** A message of the server. */
export type RelayMessage = RelaySetup | RelayPrompt | RelayDtmf | RelayInterrupt | RelayError;

/** Whether the customer, or the next text, may end a text or a file. */
export type SayOptions = {
  /** Whether the customer can interrupt this text, whatever the relay's setting is. */
  interruptible?: boolean | undefined;
  /** True if the next text replaces this one. */
  preemptible?: boolean | undefined;
  /** The language of a text, such as `es-MX`. */
  lang?: string | undefined;
  /** Ends the text. */
  signal?: AbortSignal | undefined;
};

type FieldType = 'string' | 'number' | 'boolean' | 'object';
const FIELDS: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = {
  setup: {
    ...{ sessionId: 'string', callSid: 'string', accountSid: 'string', from: 'string', to: 'string' },
    ...{ callerName: 'string', direction: 'string', customParameters: 'object' },
  },
  prompt: { voicePrompt: 'string', lang: 'string', last: 'boolean' },
  dtmf: { digit: 'string' },
  interrupt: { utteranceUntilInterrupt: 'string', durationUntilInterruptMs: 'number' },
  error: { description: 'string' },
};

/** Longest token of one message. */
const TOKEN_CHARS_MAX = 4_000;
const HANDOFF_CHARS_MAX = 16_000;
const SOURCE_CHARS_MAX = 2_048;
const DIGITS = /^[0-9A-D*#wW]{1,32}$/;
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/**
 * Reads a message of the server. Returns undefined for a type that this version does not know.
 * @throws DialplaneError `unexpected_reply` for data that is no message of a relay
 */
export function readRelayMessage(data: unknown): RelayMessage | undefined {
  const message = typeof data === 'string' ? parseJson(data) : undefined;
  if (!isRecord(message) || typeof message['type'] !== 'string') throw notOfRelay('is no JSON object with a type');
  if (!Object.hasOwn(FIELDS, message['type'])) return undefined;
  for (const [field, type] of Object.entries(FIELDS[message['type']] ?? {})) {
    const value = message[field];
    if (type === 'object' ? !isRecord(value) : typeof value !== type) {
      throw notOfRelay(`of type ${message['type']} has no valid ${field}`);
    }
  }
  return message as RelayMessage;
}

const notOfRelay = (problem: string) => new DialplaneError('unexpected_reply', `A message ${problem}.`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cuts a text into tokens that fit into one message each. No character is cut in two. */
export function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + TOKEN_CHARS_MAX, text.length);
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1;
    yield text.slice(at, end);
    at = end;
  }
}

/** Throws DialplaneError `invalid_argument` for a language that the server would refuse. */
export function checkLanguage(name: string, language: string | undefined): void {
  check(language === undefined || LANGUAGE.test(language), `${name} is no language such as en-US.`);
}

export function checkFile(source: string, loop: number | undefined): void {
  check(source !== '' && source.length <= SOURCE_CHARS_MAX, 'source is no address of at most 2,048 characters.');
  check(loop === undefined || (Number.isInteger(loop) && loop >= 0 && loop <= 1_000), 'loop is not 0 to 1,000.');
}

export const checkDigits = (digits: string) => check(DIGITS.test(digits), 'digits are not 1 to 32 of 0-9 A-D * # w W.');

/** Returns the data that an agent hands over, as text. */
export function handoffText(data: string | object | undefined): string | undefined {
  const text = typeof data === 'object' ? JSON.stringify(data) : data;
  check((text?.length ?? 0) <= HANDOFF_CHARS_MAX, 'handoffData has more than 16,000 characters.');
  return text;
}

function check(isValid: boolean, problem: string): void {
  if (!isValid) throw new DialplaneError('invalid_argument', problem);
}
