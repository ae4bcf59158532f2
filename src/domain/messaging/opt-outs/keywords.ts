import { septetsOf, toGsm7 } from '../messages/gsm7.ts';
import { withoutSignature } from './signatures.ts';
import { respelled } from './spelling.ts';
import {
  hasSpokenStopRequest,
  hasStopRequest,
  isEmphasizedKeyword,
  keywordAtEnd,
  mayAskForStop,
  withoutQuotations,
} from './stop-phrases.ts';

/** The request of an inbound text; null for an ordinary message. */
export type TextIntent =
  | { kind: 'stop'; source: 'stop_keyword' | 'stop_phrase' }
  | { kind: 'start' }
  | { kind: 'help' }
  | null;

type Keyword = NonNullable<TextIntent>;

const STOP: Keyword = { kind: 'stop', source: 'stop_keyword' };
const START: Keyword = { kind: 'start' };
const HELP: Keyword = { kind: 'help' };

/** Keywords that networks publish. If one is the whole message, it counts with any punctuation, even as "STOP?". */
const NETWORK_WORDS = [
  ...['stop', 'stopall', 'stop all', 'unsubscribe', 'unsub', 'cancel', 'end', 'quit', 'revoke', 'remove'],
  ...['optout', 'opt out', 'arret'],
];

/** Words that are a whole message or a whole sentence. */
const STOP_WORDS = [
  ...NETWORK_WORDS,
  ...['alto', 'parar', 'cancelar', 'baja', 'no mas', 'nomas'],
  ...['arreter', 'desabonner', 'td'],
];

/** Words that count only as the whole message. YES is left out on purpose: it answers "See you at 3?". */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ...STOP_WORDS.map((word): [string, Keyword] => [word, STOP]),
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
 * UTF-16 units of the beginning and of the end of a text that are examined: more than a handset sends as texts, and few
 * enough to take milliseconds, whatever the text.
 */
const EXAMINED_MAX = 2_000;

const PHRASE: Keyword = { kind: 'stop', source: 'stop_phrase' };

/**
 * Finds STOP, START or HELP in an inbound text. START and HELP must be the whole message, whatever its case, accents,
 * punctuation, emoji and spacing; a telephone's signature does not count. A keyword of STOP ("Stop!", "ARRÊT",
 * "opt-out", "S T O P") may also be the first or the last sentence. A request in words is `stop_phrase`, in whichever
 * sentence.
 */
export function classifyText(body: string): TextIntent {
  const folded = withoutSignature(examined(body));
  const word = bare(folded);
  const keyword = KEYWORDS.get(word);
  if (keyword?.kind === 'stop' && folded.includes('?') && !NETWORK_WORDS.includes(word)) return null;
  if (keyword !== undefined) return { ...keyword };
  if (hasStopRequest(folded)) return { ...PHRASE };
  const sentence = keywordAtEnd(folded, isStopWord);
  if (sentence === 'keyword') return { ...STOP };
  return sentence === 'phrase' || isEmphasizedKeyword(folded) ? { ...PHRASE } : null;
}

const isStopWord = (words: string) => KEYWORDS.get(words)?.kind === 'stop';

/** A keyword in capitals. */
const CAPITALS = /(?<![\p{L}\p{N}])(?:STOP|STOPALL|UNSUBSCRIBE|OPT[ -]?OUT)(?![\p{L}\p{N}])/u;
/** If a text in capitals has more words than this, the capitals emphasize none of them. */
const CAPITAL_WORDS_MAX = 3;

/**
 * Returns true if an ordinary text may be meant as an opt-out, so that a person should decide: it has the words of a
 * request in a sentence that says more ("please stop the reminders on weekends"), a keyword in the middle, or a keyword
 * in capitals.
 */
export function isDoubtful(body: string): boolean {
  const folded = withoutSignature(examined(body));
  if (isStopWord(bare(folded)) || mayAskForStop(folded, isStopWord)) return true;
  const start = withoutQuotations(body.slice(0, EXAMINED_MAX));
  return CAPITALS.test(start) && (/\p{Ll}/u.test(start) || start.trim().split(/\s+/).length <= CAPITAL_WORDS_MAX);
}

/** Returns true if an utterance on a call asks for no more calls or texts ("Please stop calling me"). */
export function isSpokenStop(utterance: string): boolean {
  return hasSpokenStopRequest(examined(utterance));
}

/** Removes punctuation, and the spaces of a word that is spelled out. */
function bare(folded: string): string {
  const words = folded
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return SPELLED_OUT.test(words) ? words.replaceAll(' ', '') : respelled(words);
}

/** The capital distinguishes "I'm not Dana", a wrong number, from "I'm not ready". */
const NAME = /(?-i:(?!\p{Lu}\p{Ll}+day)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)/u.source;
/** After the name, the sentence may only have a request: "I'm not Dana but I can tell her" is an ordinary reply. */
const NOT_THAT_PERSON = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:i['’]?m|i am|this is) not|no soy|je ne suis pas) ${NAME}(?=\\s*(?:$|[.!,;\\n]| (?:please|pls|plz|stop)\\b))`,
  'giu',
);

/** Folds a text. Of a long text the whole sentences of its beginning and of its end remain. */
function examined(text: string): string {
  const body = text.replace(NOT_THAT_PERSON, 'wrong number');
  const start = fold(body.slice(0, EXAMINED_MAX + 1));
  if (body.length <= EXAMINED_MAX && start.length <= EXAMINED_MAX) return start;
  const end = fold(body.slice(-EXAMINED_MAX)).slice(-EXAMINED_MAX);
  return `${wholeSentences(start.slice(0, EXAMINED_MAX))}\n${end.slice(firstEnd(end))}`;
}

const SENTENCE_ENDS = ['.', '!', '?', '\n'];

/** Drops the last sentence, because it may be cut: "stop texting me" may have continued with "at work". */
function wholeSentences(text: string): string {
  return text.slice(0, Math.max(...SENTENCE_ENDS.map((end) => text.lastIndexOf(end))) + 1);
}

/** Returns the position after the first sentence. The text may lack the beginning of that sentence. */
function firstEnd(text: string): number {
  const ends = SENTENCE_ENDS.map((end) => text.indexOf(end)).filter((at) => at !== -1);
  return ends.length === 0 ? text.length : Math.min(...ends) + 1;
}

const RATES = 'Message and data rates may apply. Reply STOP to end messages.';
const CONFIRMATIONS = {
  stop: 'You are unsubscribed and will get no more messages. Reply START to resubscribe.',
  start: 'You are subscribed again. Reply HELP for help, STOP to unsubscribe.',
  help: RATES,
} as const;

const SEGMENT_SEPTETS = 160;
const CUT_MARK = '...';

/** The name that recipients know a tenant by, and their contact to it; `supportContact` is ASCII. */
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
