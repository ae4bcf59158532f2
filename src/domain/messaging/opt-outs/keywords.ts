import { septetsOf, toGsm7 } from '../messages/gsm7.ts';
import { hasStopSentence, isStopRequest } from './stop-phrases.ts';

/** What an inbound text asks for; null for an ordinary message. */
export type TextIntent =
  | { kind: 'stop'; source: 'stop_keyword' | 'stop_phrase' }
  | { kind: 'start' }
  | { kind: 'help' }
  | null;

type Keyword = NonNullable<TextIntent>;

const STOP: Keyword = { kind: 'stop', source: 'stop_keyword' };
const START: Keyword = { kind: 'start' };
const HELP: Keyword = { kind: 'help' };

/** Words that count only as the whole message. YES is left out on purpose: it answers "See you at 3?". */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ...[
    'stop',
    'stopall',
    'stop all',
    'unsubscribe',
    'cancel',
    'end',
    'quit',
    'revoke',
    'optout',
    'opt out',
    'remove',
    'arret',
  ].map((word): [string, Keyword] => [word, STOP]),
  ['start', START],
  ['unstop', START],
  ['help', HELP],
  ['info', HELP],
]);

const APOSTROPHES = /['‘’‛ʼ`´′＇]/g;

/** A word spelled letter by letter: "s t o p". */
const SPELLED_OUT = /^\p{L}(?: \p{L})+$/u;

/** Folds case, compatibility forms and diacritics, and removes apostrophes; other punctuation stays. */
function fold(body: string): string {
  return body.replace(APOSTROPHES, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * UTF-16 units of a text that are examined: more than a handset sends as texts, and few enough to take milliseconds,
 * whatever the text.
 */
const EXAMINED_MAX = 2_000;

const PHRASE: Keyword = { kind: 'stop', source: 'stop_phrase' };

/**
 * Finds STOP, START or HELP in an inbound text. A keyword must be the whole message, whatever its case, accents,
 * punctuation, emoji and spacing ("Stop!", "ARRÊT", "opt-out", "S T O P"); explicit requests in words are
 * `stop_phrase`. Of a text longer than EXAMINED_MAX only the whole sentences of its beginning count.
 */
export function classifyText(body: string): TextIntent {
  const folded = fold(body.slice(0, EXAMINED_MAX + 1));
  if (body.length > EXAMINED_MAX || folded.length > EXAMINED_MAX) {
    return hasStopSentence(wholeSentences(folded.slice(0, EXAMINED_MAX))) ? { ...PHRASE } : null;
  }
  const bare = folded
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const keyword = KEYWORDS.get(SPELLED_OUT.test(bare) ? bare.replaceAll(' ', '') : bare);
  if (keyword !== undefined) return { ...keyword };
  return isStopRequest(folded) ? { ...PHRASE } : null;
}

/** Drops the last sentence, which may have been cut: "stop texting me" may have gone on "at work". */
function wholeSentences(text: string): string {
  return text.slice(0, Math.max(...['.', '!', '?', '\n'].map((end) => text.lastIndexOf(end))) + 1);
}

const RATES = 'Message and data rates may apply. Reply STOP to end messages.';
const CONFIRMATIONS = {
  stop: 'You are unsubscribed and will get no more messages. Reply START to resubscribe.',
  start: 'You are subscribed again. Reply HELP for help, STOP to unsubscribe.',
  help: RATES,
} as const;

const SEGMENT_SEPTETS = 160;
const CUT_MARK = '...';

/** How recipients know a tenant, and how they reach it; `supportContact` is ASCII. */
export type Sender = { readonly name: string; readonly supportContact: string | null };

/**
 * Returns the reply to a STOP, START or HELP. It names the sender, and in HELP the contact.
 *
 * The name is transliterated to GSM-7, and shortened so that the reply is one segment. A reply with a contact shortens
 * nothing and may be two. A name in a script that GSM-7 lacks stays as it is, which makes the reply UCS-2.
 */
export function confirmationText(kind: keyof typeof CONFIRMATIONS, { name, supportContact }: Sender): string {
  if (kind === 'help' && supportContact !== null) {
    return signed(oneLine(name), `Contact ${supportContact} for help. ${RATES}`);
  }
  const text = CONFIRMATIONS[kind];
  return signed(shorten(oneLine(name), SEGMENT_SEPTETS - text.length - ': '.length), text);
}

function signed(name: string, text: string): string {
  return name === '' ? text : `${name}: ${text}`;
}

function oneLine(name: string): string {
  const plain = collapse(toGsm7(name));
  return plain === '' ? collapse(name.toWellFormed()) : plain;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Cuts GSM-7 text to `septetsMax`, at a space if there is one in the second half. Other text stays whole. */
function shorten(text: string, septetsMax: number): string {
  const fits = charactersWithin(text, septetsMax);
  if (fits === text.length) return text;
  const cut = text.slice(0, charactersWithin(text, septetsMax - CUT_MARK.length));
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > cut.length / 2 ? space : cut.length).replace(/[ ,&-]+$/, '')}${CUT_MARK}`;
}

function charactersWithin(text: string, septetsMax: number): number {
  let septets = 0;
  for (let index = 0; index < text.length; index += 1) {
    septets += septetsOf(text.charCodeAt(index));
    if (septets > septetsMax) return index;
  }
  return text.length;
}
