import { septetsOf, toGsm7 } from '../messages/gsm7.ts';
import { isStopRequest } from './stop-phrases.ts';

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
 * Finds STOP, START or HELP in an inbound text. A keyword must be the whole message, whatever its case, accents,
 * punctuation, emoji and spacing ("Stop!", "ARRÊT", "opt-out", "S T O P"); explicit requests in words are
 * `stop_phrase`.
 */
export function classifyText(body: string): TextIntent {
  const folded = fold(body);
  const bare = folded
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const keyword = KEYWORDS.get(SPELLED_OUT.test(bare) ? bare.replaceAll(' ', '') : bare);
  if (keyword !== undefined) return { ...keyword };
  return isStopRequest(folded) ? { kind: 'stop', source: 'stop_phrase' } : null;
}

const CONFIRMATIONS = {
  stop: 'You are unsubscribed and will get no more messages. Reply START to resubscribe.',
  start: 'You are subscribed again. Reply HELP for help, STOP to unsubscribe.',
  help: 'Message and data rates may apply. Reply STOP to end messages.',
} as const;

const SEGMENT_SEPTETS = 160;
const CUT_MARK = '...';

/**
 * Returns the reply to a STOP, START or HELP, always one GSM-7 segment. The tenant's name is transliterated, and
 * shortened if it is too long; a name with no character in GSM-7 is omitted.
 */
export function confirmationText(kind: keyof typeof CONFIRMATIONS, tenantName: string): string {
  const text = CONFIRMATIONS[kind];
  const name = shorten(toGsm7(tenantName).replace(/\s+/g, ' ').trim(), SEGMENT_SEPTETS - text.length - ': '.length);
  return name === '' ? text : `${name}: ${text}`;
}

/** Cuts GSM-7 text to `septetsMax`, at a space if there is one in the second half. */
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
