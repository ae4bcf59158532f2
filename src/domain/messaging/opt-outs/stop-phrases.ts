/**
 * Recognises explicit requests for no more texts. A phrase counts if it is a whole sentence apart from courtesy ("Hi,
 * please ... thanks"), or a whole clause beside an unconditional one ("I sold the house, ..."). Anything else in the
 * sentence makes it ordinary: a negation ("don't stop texting me"), a third party ("he won't stop texting me"), a time
 * or place ("don't text me at work"). A missed indirect request costs one more text; an ordinary message taken for a
 * request cuts a customer off without notice. So the grammar is closed: if in doubt, the text is treated as ordinary.
 */

const TEXTS = '(?:texts|texting|text messages|txts|messages|messaging|msgs|sms)';
const ANY_TEXT = `(?:${TEXTS}|text|message|text message|spam)`;
const ME = '(?:me|us|this(?: phone)? number|this phone|my(?: cell| mobile| phone)*(?: number| phone| cell))';
const WHICH = '(?: (?:any|all|of|more|these|those|this|that|the|your|ur|further|future|me|us|my))*';
const QUALIFIER = '(?: (?:text|texting|sms|message|messaging|contact|mailing|marketing|distribution|subscriber))';
const LIST = `(?:(?: all)?(?: of)? (?:your|ur|this|these)${QUALIFIER}*|(?: the| all| any)?${QUALIFIER}+) lists?`;
const CONTACTS = '(?: your| ur) contacts';
const NOTICES =
  '(?: all)? (?:these|your|ur|this|text)(?: text)? (?:alerts|notifications|reminders|updates|promotions|service)';
const SOURCE = `(?:${LIST}|${CONTACTS}|${WHICH} ${TEXTS})(?: list| lists)?`;
const OTHER_CONTACT = '(?:calling|emailing|texting|messaging|contacting)';

const LEAVE = `(?:un ?subscribe(?: ${ME})?|be un ?subscribed|opt ${ME} out)`;
const LEAVE_A_LIST = `(?:${LEAVE}|opt out|(?:remove|take|delete|drop|get) ${ME}|be (?:removed|taken|deleted|dropped))`;

/** Requests that count even with a clause beside them. */
const FIRM_REQUESTS = [
  `(?:stop|quit) (?:${OTHER_CONTACT} (?:and|or) )?(?:texting|txting|messaging|contacting|spamming)(?: (?:and|or) ${OTHER_CONTACT})*(?: (?:to )?${ME}(?: (?:and|or) ${OTHER_CONTACT}(?: ${ME})?)?)?`,
  `(?:stop|quit)(?! (?:texting|messaging)(?: |$))(?: sending| receiving| getting)?${WHICH} ${ANY_TEXT}(?: to ${ME})?`,
  `${LEAVE_A_LIST} (?:off of|off|from|out of|of)(?:${SOURCE}|${NOTICES})`,
  LEAVE,
  `revoke(?: my)? consent(?: to (?:receive )?(?:${TEXTS}|be (?:texted|messaged|contacted)))?`,
].join('|');

/**
 * Requests that a neighbouring clause often limits ("don't text me, call me when it's done"): they count as whole
 * sentences only.
 */
const SOFT_REQUESTS = [
  'opt out',
  `remove ${ME}`,
  `no more ${TEXTS}(?: from (?:you|yall))?`,
  `(?:do not|dont|no longer) (?:want|wish)(?: to be (?:texted|messaged|contacted)|(?: to)?(?: receive| get)?${WHICH} ${TEXTS}(?: from (?:you|yall))?)`,
  `(?:do not|dont|never)(?: ever)? (?:call or |email or )?(?:text|txt|message|contact|sms)(?: or (?:call|email|text|message|contact))* ${ME}`,
  `(?:do not|dont|never)(?: ever)? send${WHICH} (?:${TEXTS}|text messages?)(?: to ${ME})?`,
].join('|');

const COURTESY = 'please|pls|plz|kindly|just|hi|hello|hey|there|ok|okay|sorry|sir|maam|team|guys|folks|everyone';
const ASKING =
  '(?:can|could|will|would) (?:you|u)|(?:you|u) (?:can|need to|should|must)|(?:i (?:want|need|would like)|id like) (?:you|u) to' +
  '|i (?:already )?(?:said|asked|told you|asked you|told you to|asked you to)|im asking (?:you|u) to|i am asking (?:you|u) to' +
  '|go ahead and|for the last time';
/** Not before "stop texting": a person who needs to stop texting is about to drive. */
const WISHING =
  '(?:i (?:want|need|wish|would like)|id like) to(?! (?:stop|quit) (?:texting|txting|messaging|contacting|spamming|calling|emailing|sending))';
const MISTAKEN =
  '(?:(?:this is |you have |you got |u have |u got |its |youve got )?(?:the |a )?wrong (?:number|person))';
const LEADING = `${ASKING}|${WISHING}|i|yes|no|and|or|so|then|hereby|also`;
const TRAILING =
  'thanks|thank you|thx|ty|any ?more|any longer|ever|forever|permanently|at all|from now on|at this number|on this number';
const URGENT = 'right now|asap|at once|already';
const ANYWHERE = `${COURTESY}|${MISTAKEN}|again`;
const NOT_AFTER_SOFT = 'now|immediately|stop';
const BEFORE = `(?:${ANYWHERE}|${NOT_AFTER_SOFT}|${LEADING})`;
const AFTER_ANY = `(?:${ANYWHERE}|${TRAILING})`;
const AFTER_FIRM = `(?:${ANYWHERE}|${NOT_AFTER_SOFT}|${TRAILING}|${URGENT})`;
const BETWEEN = `(?:${ANYWHERE}|${NOT_AFTER_SOFT}|${LEADING}|${TRAILING}|${URGENT})`;

/**
 * One or more requests. Group 1 is set if the last one is firm. Between two requests the words that surround them may
 * stand in any order, and each is named once: a sentence then has one reading, and the search is not exponential.
 */
const EARLIER = `(?:(?:${FIRM_REQUESTS}|${SOFT_REQUESTS}) (?:${BETWEEN} )*)`;
const LAST = `(?:((?:${FIRM_REQUESTS})(?: ${AFTER_FIRM})*)|(?:${SOFT_REQUESTS})(?: ${AFTER_ANY})*)`;
const REQUESTS = new RegExp(`^(?:${BEFORE} )*${EARLIER}*${LAST}$`);

/** The whole message is a bare, polite or repeated "stop"; "stop" alone is a keyword and is matched before. */
const BARE_STOP = /^(?:(?:please|pls|plz|ok|okay) )*stop(?: (?:stop|please|pls|plz|thanks|thank you|thx|ty))*$/;

/** Clauses that make the one beside them conditional, or a quotation. */
const LIMITS_OTHERS =
  /^(?:(?:and|but|or|so|please|only|just|even|except|not) )*(?:if|when|whenever|while|until|till|unless|after|before|during|once|except|between|only)\b|(?:^| )(?:dont|do not|never|not|wont|cant|says?|saying|wrote|writes|goes|like|shouting|yelling|(?:told|tells|telling|asked|asks|asking) (?:him|her|them|me|us)|(?:he|she|they|it|that|who) (?:said|asked))$/;

/** No explicit request is longer. This also bounds the work of the expression above. */
const REQUEST_CHARS_MAX = 160;

const INTENSIFIERS = /\b(?:fuck(?:ing|in)?|freaking?|fricking?|damn|goddamn|bloody|effing|the (?:hell|fuck|heck))\b/g;

function words(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(INTENSIFIERS, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function isRequest(sentence: string): boolean {
  const bare = words(sentence);
  if (bare.length <= REQUEST_CHARS_MAX && REQUESTS.test(bare)) return true;
  const clauses = sentence
    .split(/[,:\u2013\u2014]| -+ /)
    .map(words)
    .filter((clause) => clause !== '');
  if (clauses.length < 2 || clauses.some((clause) => LIMITS_OTHERS.test(clause))) return false;
  return clauses.some((clause) => clause.length <= REQUEST_CHARS_MAX && REQUESTS.exec(clause)?.[1] !== undefined);
}

/**
 * Returns true if the text asks explicitly for no more texts, as a whole or in one of its sentences. `folded` is the
 * text in lower case, without diacritics, its apostrophes removed ("dont") and its other punctuation in place.
 */
export function isStopRequest(folded: string): boolean {
  return BARE_STOP.test(words(folded)) || hasStopSentence(folded);
}

/** Returns true if a sentence of the folded text asks explicitly for no more texts. */
export function hasStopSentence(folded: string): boolean {
  const { length } = folded.trim();
  // Text in quotation marks inside a longer text (a phone's "Liked ..." among it) is not the sender's request.
  const own = folded.replace(/["“„«][^"“”„«»]*["”“»]/g, (quoted) => (quoted.length < length ? ' quoted ' : quoted));
  return own
    .replace(/\.{2,}|…/g, ' ')
    .split(/[.!?;\n\r]+/)
    .some(isRequest);
}
