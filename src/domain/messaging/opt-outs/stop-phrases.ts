/**
 * Recognises requests for no more texts, sentence by sentence. A request counts if it is a whole sentence apart from
 * courtesy ("Hi, please ... thanks"), or a whole clause next to an unconditional one ("I sold the house, ...").
 * Anything else in the sentence makes it ordinary: a negation ("don't stop texting me"), a third party ("he won't stop
 * texting me"), a time or place ("don't text me at work"), an activity of the person ("..., I'm driving"), or a
 * question without courtesy ("Stop notifications?"). A missed request costs one more text. An ordinary message that
 * counts as a request cuts a customer off without notice. So the grammar is closed: if in doubt, the text is treated as
 * ordinary.
 */

import { englishOf } from './english.ts';
import { Grammar, type PhraseLists, type Reading } from './grammar.ts';
import { FRENCH, SPANISH } from './spanish-french.ts';
import { respelled } from './spelling.ts';

/** Additions for requests that are spoken on calls: fillers, places where a telephone rings, lists. */
const SPOKEN: PhraseLists = {
  courtesy: ['um|uh|er|well|look|listen|yeah|yep|oh|actually|seriously|honestly|alright', 'all right'],
  kind: ['phone|telephone|robo|cold|unsolicited|recorded|prerecorded'],
  list_kind: ['call|calls|calling|phone|dialing|telemarketing'],
  rings_at: ['house|home|office|place|work'],
  me: ['here', 'my|our|this <rings_at>'],
  no_call_list: ['<your>? do not call list|lists|registry', '<your>? dont call list|lists'],
  stop_things: [
    'put|add|place <me> on|to <no_call_list>',
    'be put|added|placed on|to <no_call_list>',
    'be on <no_call_list>',
  ],
  es_things: ['llamadas'],
  es_write: ['llamarme|llamarnos|marcarme|marcarnos|telefonearme'],
  es_writes: ['llame|llames|llamen|marque|marques|marquen|telefonee'],
  es_list_kind: ['de llamadas'],
  fr_things: ['appels', 'appels telephoniques'],
  fr_list_kind: ['dappels'],
  firm: ['<fr_stop_to> mappeler', '<fr_stop_to> <fr_object> appeler', '<fr_end> les|vos|ces appels'],
  soft: [
    'ne mappelez|mappelle|mappeler plus',
    'ne me|nous appelez|appelle plus',
    'no <es_object> vuelva|vuelvas|vuelvan a llamar|marcar',
  ],
};

const TEXTS = new Grammar(joined([englishOf(['text']), SPANISH, FRENCH]));
const CALLS = new Grammar(joined([englishOf(['text', 'call']), SPANISH, FRENCH, SPOKEN]));

/** Joins lists of the same name: one sentence may mix languages ("Hola, stop texting me"). */
function joined(languages: readonly PhraseLists[]): PhraseLists {
  const lists: Record<string, readonly string[]> = {};
  for (const language of languages) {
    for (const [name, phrases] of Object.entries(language)) lists[name] = [...(lists[name] ?? []), ...phrases];
  }
  return lists;
}

/** No explicit request has more words. */
const REQUEST_WORDS_MAX = 40;

const INTENSIFIERS = new Set(
  'fuck|fuckin|fucking|freakin|freaking|frickin|fricking|damn|goddamn|bloody|effing|hell|heck'.split('|'),
);
const INTENSE_NOUNS = new Set(['hell', 'heck', 'fuck']);

/** The words of a folded text, as the grammar has them: well spelled, without intensifiers. */
function wordsOf(text: string): readonly string[] {
  const all = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return all
    .filter((word, at) => !(INTENSIFIERS.has(word) || (word === 'the' && INTENSE_NOUNS.has(all[at + 1] ?? ''))))
    .flatMap((word) => (word.startsWith('stop2') ? ['stop', '2', word.slice('stop2'.length)] : respelled(word)))
    .filter((word) => word !== '');
}

/** Returns null for text without a word, and for text that is too long to be one request. */
function readingOf(text: string, grammar = TEXTS): Reading | null {
  const words = wordsOf(text);
  return words.length === 0 || words.length > REQUEST_WORDS_MAX ? null : grammar.read(words);
}

function isRequest({ text: sentence, isQuestion }: Sentence, grammar: Grammar): boolean {
  const whole = readingOf(sentence, grammar);
  // "Stop notifications?" asks whether they stop.
  if (isQuestion && !whole?.contains('polite') && !whole?.endsWith('tag')) return false;
  if (whole?.is('firm_sentence') || whole?.is('soft_sentence')) return true;
  const clauses = sentence.split(/[,:\u2013\u2014]| -+ /).filter((clause) => /[\p{L}\p{N}]/u.test(clause));
  if (clauses.length < 2) return false;
  const readings = clauses.map((clause) => readingOf(clause, grammar));
  return readings.every((clause) => clause !== null && !isLimiting(clause)) && readings.some(isFirm);
}

function isFirm(clause: Reading | null): boolean {
  return clause?.is('firm_sentence') ?? false;
}

function isLimiting(clause: Reading): boolean {
  return clause.startsWith('limiting_start') || clause.endsWith('limiting_end') || clause.is('momentary');
}

type Sentence = { readonly text: string; readonly isQuestion: boolean };

/** A line that ends with one of these continues in the next line. */
const OPEN_ENDS = new Set(
  (
    'dont|never|not|wont|cant|doesnt|didnt|isnt|wouldnt|couldnt|will|would|could|can|should|must|does|did|to|the|a|an|' +
    'my|your|and|or|but|in|at|on|of|for|from|with|i|he|she|they|we|bus|full'
  ).split('|'),
);

/** Removes quotations inside a longer text (a phone's "Liked ..." among it), which are not the sender's request. */
export function withoutQuotations(text: string): string {
  const { length } = text.trim();
  return text.replace(/["“„«][^"“”„«»]*["”“»]/g, (quoted) => (quoted.length < length ? ' quoted ' : quoted));
}

function sentencesOf(folded: string): readonly Sentence[] {
  const lines = withoutQuotations(folded)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  const text = lines.map((line) => (OPEN_ENDS.has(line.slice(line.lastIndexOf(' ') + 1)) ? `${line} ` : `${line}\n`));
  const parts =
    text
      .join('')
      .replace(/\.{2,}|…/g, ' ')
      .match(/[^.!?;\n]+[.!?;\n]*/g) ?? [];
  return parts.map((part) => ({ text: part, isQuestion: part.includes('?') }));
}

/**
 * Returns true if the text asks for no more texts in one of its sentences, by a phrase. `folded` is the text in lower
 * case, without diacritics, its apostrophes removed ("dont") and its other punctuation in place.
 */
export function hasStopRequest(folded: string): boolean {
  return isCopiedLine(folded) || sentencesOf(folded).some((sentence) => isRequest(sentence, TEXTS));
}

/**
 * Returns true if words that were said on a call ask for no more calls or texts in one of their sentences. A keyword
 * alone ("Stop.") is said about anything.
 */
export function hasSpokenStopRequest(folded: string): boolean {
  return sentencesOf(folded).some((sentence) => isRequest(sentence, CALLS));
}

/**
 * Returns true if a person should read the text: one of its sentences has other words next to the words of a request,
 * or is or begins with a keyword.
 */
export function mayAskForStop(folded: string, isKeyword: (words: string) => boolean): boolean {
  return sentencesOf(folded).some(({ text, isQuestion }) => {
    // "Please stop, I moved" is a request; "Stop, I am driving" is none. Only a person can tell them apart.
    const [first = ''] = text.split(',');
    if (!isQuestion && (isKeyword(wordsOf(first).join(' ')) || readingOf(first)?.is('keyword_sentence'))) return true;
    const reading = readingOf(text, CALLS);
    if (reading === null) return false;
    if (!isQuestion && reading.is('hint_sentence')) return true;
    return reading.contains('hint') || (reading.contains('hint_verb') && reading.contains('hint_object'));
  });
}

/** Returns true if the whole text copies the line that explained the keyword ("Reply STOP to end"). */
function isCopiedLine(folded: string): boolean {
  return readingOf(folded)?.is('copied_line') ?? false;
}

/**
 * Returns the kind of the first or the last sentence: `keyword`, or `phrase` for a keyword with courtesy or emphasis
 * ("STOP NOW"). Sentences of courtesy do not count ("STOP. Wrong number. Thanks"). Keywords in the middle are ordinary
 * ("Bus 12. Stop. Main St"). Keywords in questions are ordinary too ("Stop? No, go on").
 */
export function keywordAtEnd(folded: string, isKeyword: (words: string) => boolean): 'keyword' | 'phrase' | null {
  const sentences = sentencesOf(folded).flatMap(({ text, isQuestion }) => {
    const words = wordsOf(text);
    const reading = readingOf(text);
    if (words.length === 0 || reading?.is('only_courtesy')) return [];
    if (isQuestion) return [null];
    if (isKeyword(words.join(' '))) return ['keyword' as const];
    return [reading?.is('keyword_sentence') ? ('phrase' as const) : null];
  });
  return sentences.at(0) ?? sentences.at(-1) ?? null;
}

/** Returns true if the whole text is a keyword with courtesy or emphasis, repeated or not ("stop please stop!"). */
export function isEmphasizedKeyword(folded: string): boolean {
  return readingOf(folded)?.is('keyword_sentence') ?? false;
}
