/**
 * The messages between a relay and its agent (docs/relay.md). Names and fields follow Twilio's ConversationRelay:
 * https://www.twilio.com/docs/voice/conversationrelay/websocket-messages
 */
import { parseObject } from '../../../lib/json-object.ts';
import type { HeardSpeech } from './heard-speech.ts';
import type { GrantedRelay } from './types.ts';

/** The longest message of an agent, in bytes. */
export const AGENT_MESSAGE_BYTES_MAX = 64 * 1024;
/** The longest token of one message, in characters. */
const TOKEN_CHARS_MAX = 4_000;
const DIGITS = /^[0-9A-D*#wW]{1,32}$/;
/** BCP 47, limited to the parts that recognisers and voices distinguish. */
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
const HANDOFF_CHARS_MAX = 16_000;
const SOURCE_CHARS_MAX = 2_048;
const TIMES_MAX = 1_000;

/** What may end a text or a file: the customer, or the agent's next message. */
type Endable = { readonly interruptible?: boolean; readonly preemptible: boolean };

/** A message from an agent. */
export type AgentFrame =
  | ({ readonly type: 'text'; readonly token: string; readonly last: boolean; readonly lang?: string } & Endable)
  | ({ readonly type: 'play'; readonly source: string; readonly times: number } & Endable)
  | { readonly type: 'sendDigits'; readonly digits: string }
  | { readonly type: 'language'; readonly spoken: string | undefined; readonly heard: string | undefined }
  | { readonly type: 'end'; readonly handoffData: string | null };

/** The problem with a message, for the agent. */
export type InvalidFrame = { readonly invalid: string };

/** Reads a message of the agent. Unknown fields are ignored. */
export function readFrame(text: string): AgentFrame | InvalidFrame {
  const message = parseObject(text);
  if (message === undefined) return { invalid: 'The message is not a JSON object.' };
  const read = READERS[message['type'] as AgentFrame['type']];
  if (read === undefined) return { invalid: `"type" is none of ${Object.keys(READERS).join(', ')}.` };
  return read(message);
}

type Message = Readonly<Record<string, unknown>>;

const READERS: Readonly<Record<AgentFrame['type'], (message: Message) => AgentFrame | InvalidFrame>> = {
  text: ({ token, last = false, lang, ...message }) => {
    if (typeof token !== 'string' || token.length > TOKEN_CHARS_MAX) {
      return { invalid: `"token" is not a text of at most ${TOKEN_CHARS_MAX} characters.` };
    }
    if (typeof last !== 'boolean') return { invalid: '"last" is not true or false.' };
    if (lang === undefined) return { type: 'text', token, last, ...readEndable(message) };
    if (!isLanguage(lang)) return { invalid: '"lang" is not a language tag such as en-US.' };
    return { type: 'text', token, last, lang, ...readEndable(message) };
  },
  play: ({ source, loop = 1, ...message }) => {
    if (typeof source !== 'string' || source === '' || source.length > SOURCE_CHARS_MAX) {
      return { invalid: `"source" is not an address of at most ${SOURCE_CHARS_MAX} characters.` };
    }
    if (!Number.isInteger(loop) || (loop as number) < 0 || (loop as number) > TIMES_MAX) {
      return { invalid: `"loop" is not a whole number from 0 to ${TIMES_MAX}.` };
    }
    return { type: 'play', source, times: loop === 0 ? TIMES_MAX : (loop as number), ...readEndable(message) };
  },
  sendDigits: ({ digits }) => {
    if (typeof digits === 'string' && DIGITS.test(digits)) return { type: 'sendDigits', digits };
    return { invalid: '"digits" is not 1 to 32 characters of 0-9 A-D * # w W.' };
  },
  language: ({ ttsLanguage: spoken, transcriptionLanguage: heard }) => {
    const given = [spoken, heard].filter((language) => language !== undefined);
    if (given.length === 0 || !given.every(isLanguage)) {
      return { invalid: '"ttsLanguage" and "transcriptionLanguage" are language tags such as en-US; one is needed.' };
    }
    return { type: 'language', spoken: spoken as string | undefined, heard: heard as string | undefined };
  },
  end: ({ handoffData = null }) => {
    const text = typeof handoffData === 'string' || handoffData === null ? handoffData : JSON.stringify(handoffData);
    if (text !== null && text.length > HANDOFF_CHARS_MAX) {
      return { invalid: `"handoffData" has more than ${HANDOFF_CHARS_MAX} characters.` };
    }
    return { type: 'end', handoffData: text };
  },
};

const isLanguage = (value: unknown): value is string => typeof value === 'string' && LANGUAGE.test(value);

function readEndable({ interruptible, preemptible }: Message): Endable {
  return { ...(typeof interruptible === 'boolean' && { interruptible }), preemptible: preemptible === true };
}

export function setupText({ streamId, accountId, parameters, call, relay }: GrantedRelay): string {
  return JSON.stringify({
    type: 'setup',
    sessionId: streamId,
    accountSid: accountId,
    callSid: call.callId,
    parentCallSid: '',
    from: relay.from,
    to: relay.to,
    forwardedFrom: '',
    callerName: relay.callerName ?? '',
    direction: relay.direction,
    callType: 'PSTN',
    callStatus: 'IN-PROGRESS',
    customParameters: parameters,
  });
}

/** @param last false if the sentence continues in the next prompt */
export function promptText(voicePrompt: string, { lang, last }: { lang: string; last: boolean }): string {
  return JSON.stringify({ type: 'prompt', voicePrompt, lang, last });
}

export const dtmfText = (digit: string) => JSON.stringify({ type: 'dtmf', digit });

/**
 * Returns the message about an interruption. If a file was interrupted, the message has `source` and the position in
 * the file.
 */
export function interruptText({ text, durationMs, file }: HeardSpeech): string {
  return JSON.stringify({
    type: 'interrupt',
    utteranceUntilInterrupt: text,
    durationUntilInterruptMs: durationMs,
    ...(file !== undefined && { source: file.source, sourceUntilInterruptMs: file.positionMs }),
  });
}

export const errorText = (description: string) => JSON.stringify({ type: 'error', description });
