import { type Channel, contactLists } from './contact-words.ts';
import type { PhraseLists } from './grammar.ts';

/** The person that gets the contact. */
const RECIPIENTS: PhraseLists = {
  phone_kind: ['cell|mobile|phone|telephone|cellphone'],
  my_number: ['my <phone_kind>* number', 'this <phone_kind>* number'],
  me: ['me|us', 'this phone', 'my <phone_kind>* phone|cell', '<my_number>'],
  to_me: ['to? <me>'],
};

/** The objects that the person gets. */
const OBJECTS: PhraseLists = {
  which: ['any|anymore|all|of|more|these|those|this|that|the|your|ur|further|future|me|us|my'],
  kind: [
    'text|txt|sms|message|spam|junk|marketing|promotional|promo|sales|advertising|automated|automatic|unwanted|annoying',
    'stupid|appointment|payment|rent|service|delivery',
  ],
  named: ['<kind>* <own_things>'],
  named_with_others: ['<named>', '<named> and|or|nor <named>', '<named> and|or|nor <other_things>'],
  things: ['<named_with_others>', '<other_things> and|or|nor <named>'],
  thing: ['<kind>* <own_thing>'],
  from_you: ['from you|yall'],
};

/** The lists or places that the person leaves. */
const PLACES: PhraseLists = {
  list_kind: ['text|texting|sms|message|messaging|contact|mailing|marketing|distribution|subscriber'],
  your: ['your|ur|this|these|the'],
  lists: ['all? of? <your> <list_kind>* list|lists', 'all|any? <list_kind> <list_kind>* list|lists'],
  group: ['<your> group text|chat|message|thread', '<your> text|message? thread', '<your> text|message group|chain'],
  notices: ['all? <your>? <kind>* <own_things>', '<your> <kind>* service'],
  place: [
    '<lists>',
    '<group>',
    '<notices>',
    '<which> <which>* <own_things> list|lists?',
    'your|ur contacts|system|database|records',
  ],
  off: ['off of?', 'from', 'out of', 'of'],
};

/** Phrases that end the contact. A clause next to a `firm` phrase does not change it. */
const FIRM: PhraseLists = {
  stop: ['stop|quit|cease'],
  end: ['end|cancel|halt|discontinue|disable', 'turn|shut off'],
  doing: ['<own_doing>', '<other_doing> and|or <own_doing>'],
  and_doing: ['and|or <own_doing>', 'and|or <other_doing>'],
  and_doing_me: ['<and_doing> <me>?'],
  /**
   * "I need to stop texting" is about the person, who is about to drive. So these phrases may not follow words of a
   * wish.
   */
  stop_doing: [
    '<stop> <doing> <and_doing>*',
    '<stop> <doing> <and_doing>* <to_me> <and_doing_me>?',
    '<stop> sending|delivering <which>* <things> <to_me>?',
    '<stop> sending|delivering <which>* <thing> <to_me>?',
    '<stop> sending <me>? these|those',
    '<stop> sending <me> this|that|stuff|things|anything|crap|shit',
    '<stop> sending <me>? this|that|the|these|those|your stuff|crap|shit|junk|garbage|nonsense',
  ],
  unsubscribe: ['unsubscribe|unsub <me>?', 'un subscribe <me>?', 'be unsubscribed', 'be un subscribed', 'opt <me> out'],
  leave: ['<unsubscribe>', 'opt out', 'remove|take|delete|drop|get <me>', 'be removed|taken|deleted|dropped'],
  everything: ['all|everything|this|these|here'],
  stop_things: [
    '<stop> receiving|getting? <which>* <things> <to_me>?',
    '<stop> receiving|getting? <which>* <thing> <to_me>?',
    '<stop> with|w <which>* <things>',
    '<end> <which>* <things> <to_me>?',
    '<leave> <off> <place>',
    'want off of? <lists>',
    '<unsubscribe>',
    '<unsubscribe> from? <everything>',
    'opt out of all|everything',
    'revoke|withdraw my? consent',
    'revoke|withdraw my? consent to receive? <own_things>',
    'revoke|withdraw my? consent to be <own_done>',
  ],
};

/** A clause next to one of these phrases often limits it ("don't text me, call me when it's done"). */
const SOFT: PhraseLists = {
  do_not: ['do not', 'dont|never'],
  not: ['do not', 'dont', 'no longer'],
  acts: ['<other_act> or <own_act>', '<own_act>'],
  or_act: ['or <own_act>', 'or <other_act>'],
  soft: [
    'opt out',
    'remove <me>',
    'delete|lose|erase|forget|drop <my_number>',
    'no more <things> <from_you>?',
    'no more <thing> <from_you>?',
    'no more <own_doing>',
    '<not> want|wish to be <own_done>',
    '<not> want|wish to? receive|get? <which>* <things> <from_you>?',
    '<not> want you|u|yall to? <own_act> <me>',
    '<not> want you|u|yall <own_doing> <me>',
    '<not> need|want any? more|these|those <things> <from_you>?',
    'im|am? not|never interested in receiving|getting? <which>* <things> <from_you>?',
    '<do_not> ever? <acts> <or_act>* <me>',
    'do not <own_act>',
    '<do_not> ever? send <which>* <things> <to_me>?',
    '<do_not> ever? send <which>* <thing> <to_me>?',
  ],
};

/** Words around a request that do not change its meaning. */
const SURROUNDINGS: PhraseLists = {
  courtesy: [
    'please|pls|plz|kindly|just|hi|hello|hey|there|ok|okay|sorry|sir|maam|team|guys|folks|everyone',
    'not interested',
    'no thanks',
    'no thank you',
  ],
  asking: [
    'can|could|will|would you|u',
    'you|u can|should|must',
    'you|u need to',
    'i want|need you|u to',
    'i would like you|u to',
    'id like you|u to',
    'i already? said|asked',
    'i already? told|asked you to?',
    'im asking you|u to',
    'i am asking you|u to',
    'go ahead and',
    'ive|have asked|told you to?',
    'for the last time',
  ],
  wish: ['i want|need|wish|wanna to?', 'i would like to', 'id like to'],
  wrong_number: ['the|a? wrong number|person'],
  mistaken: [
    '<wrong_number>',
    'this is <wrong_number>',
    'its|youve <wrong_number>',
    'you|u|youve have|got <wrong_number>',
  ],
  anywhere: ['<courtesy>', '<mistaken>', 'again'],
  now: ['now|immediately|stop'],
  leading: ['<asking>', 'i|yes|no|and|or|so|then|hereby|also'],
  other_request: ['<stop> <other_doing> <me>?'],
  trailing: [
    'and <other_request>',
    'thanks|thx|ty|anymore|ever|forever|permanently',
    'thank you',
    'any more|longer',
    'at all',
    'from now on',
    'at|on this number',
  ],
  urgent: ['right now', 'at once', 'asap|already'],
};

const SENTENCES: PhraseLists = {
  firm: ['<stop_doing>', '<wish>? <courtesy>* <stop_things>'],
  wished_soft: ['<wish>? <courtesy>* <soft>'],
  before: ['<anywhere>', '<now>', '<leading>'],
  between: ['<anywhere>', '<now>', '<leading>', '<trailing>', '<urgent>'],
  after_firm: ['<anywhere>', '<now>', '<trailing>', '<urgent>'],
  after_soft: ['<anywhere>', '<trailing>'],
  earlier: ['<firm> <between>*', '<other_request> <between>*', '<wished_soft> <between>*'],
  firm_sentence: ['<before>* <earlier>* <firm> <after_firm>*'],
  soft_sentence: ['<before>* <earlier>* <wished_soft> <after_soft>*'],
};

/** Sentences of a keyword and polite words, such as "stop please", and texts that repeat our own "Reply STOP". */
const KEYWORD_SENTENCES: PhraseLists = {
  strong: ['stop|stopall|unsubscribe|unsub|unscribe|optout', 'stop all', 'opt out'],
  beside: [
    'please|pls|plz|ok|okay|sorry|hi|hello|hey|bye',
    'and? thanks|thx|ty',
    'and? thank you',
    'no thanks',
    '<mistaken>',
  ],
  reason: ['no thank you', 'not interested', 'im not interested', 'i am not interested'],
  around: ['<beside>', '<reason>'],
  emphasis: ['<around>', '<urgent>', 'now|immediately|all'],
  insisting: ['i already? said', 'for the last time'],
  keyword_sentence: ['<around>* <insisting>? <strong> <after_strong>*'],
  after_strong: ['<strong>', '<emphasis>', 'end|quit|cancel'],
  only_courtesy: ['<around> <around>*', 'have a good|nice|great day'],
  reply: ['reply|text|txt|send|respond|type with?'],
  the_end: [
    'end|quit|cancel|unsubscribe|unsub|stop|optout|remove',
    'opt out',
    '<end> <own_things>',
    '<stop> <own_things>',
  ],
  to_end: ['to|2 <the_end>'],
  copied_line: ['please? <reply> stop <to_end>? <beside>*', 'stop <to_end> <beside>*'],
};

/** Clauses that make the neighbouring clause conditional, or a quotation. */
const LIMITS: PhraseLists = {
  joining: ['and|but|or|so|please|only|just|even|except|not'],
  limit: ['if|when|whenever|while|until|till|unless|after|before|during|once|except|between|only'],
  limiting_start: ['<joining>* <limit>'],
  other_person: ['him|her|them|me|us'],
  limiting_end: [
    'dont|never|not|wont|cant|say|says|saying|wrote|writes|goes|like|shouting|yelling',
    'do not',
    'told|tells|telling|asked|asks|asking <other_person>',
    'he|she|they|it|that|who said|asked',
  ],
  because: ['because|cause|cuz|since|as|sorry'],
  doing_now: [
    'driving|working|sleeping|eating|cooking|studying|teaching|running|walking|riding|traveling|flying|praying',
    'busy|asleep',
    'behind the wheel',
    'trying to sleep|work|study|focus|drive',
    '<where> work|school|church|dinner|lunch|court|class|traffic|bed|surgery',
    '<where> <which_one>? meeting|call|phone|flight|plane|train|bus|car|road|movie|movies|hospital|gym|interview|funeral',
    'with|seeing <which_one>? client|clients|customer|customers|patient|patients',
  ],
  where: ['at|in|on'],
  which_one: ['a|an|the|my|another'],
  unable: ['cant talk|text|type|answer|reply|respond', 'cannot talk|text|type|answer|reply|respond'],
  for_now: ['now|atm|currently|today|still', 'right now', 'at the moment'],
  /** Words for a short time when the person does not read: "Stop texting me, I'm driving" may ask for a pause. */
  momentary: [
    '<because>? im <for_now>? <doing_now> <for_now>*',
    '<because>? i am <for_now>? <doing_now> <for_now>*',
    '<because>? i <unable> <for_now>*',
  ],
};

/** Words that make a question a request: "Can you stop texting me?", "Stop texting me please?", "… ok?". */
const QUESTIONS: PhraseLists = {
  polite: ['can|could|will|would|wont you|u|yall', 'can|could|may i|we', 'please|pls|plz|kindly'],
  tag: ['ok|okay|alright|thanks|thx', 'got it', 'thank you'],
};

/** Words of a sentence that may ask for an end of contact, whatever its other words are. */
const HINTS: PhraseLists = {
  hint: [
    'unsubscribe|unsubscribed|unsubscribing|unsub|optout|stopall|stopp|stpo|sotp',
    'opt|opted out',
    'leave <me> alone',
    'block <me>',
    'enough with|of <which>* <things>',
    '<strong> im not',
    '<strong> i am not',
    '<strong> this is not',
    '<firm>',
    '<soft>',
  ],
  hint_verb: [
    'stop|stopped|quit|cease|end|cancel|halt|discontinue|disable|remove|delete|block',
    'no more',
    'take|get <me> off',
    'turn|shut off',
    'dont|not want|need',
  ],
  hint_object: ['<own_things>', '<own_doing>', '<own_done>', 'list|lists|spam'],
  /**
   * Whole sentences that may mean the texts or the subject of the conversation: "Please stop this", "Thanks but stop".
   */
  hint_before: ['<before>', 'enough|but|thanks|thx|really|seriously', 'thank you'],
  hint_sentence: [
    '<hint_before>* <stop> it|this|that|everything? <after_firm>*',
    '<hint_before>* no more <after_soft>*',
    '<hint_before>* take|get <me> off <after_soft>*',
    '<hint_before>* no <things> <after_soft>*',
  ],
};

/** Returns the English phrases that ask for an end of one of the channels. */
export function englishOf(channels: readonly Channel[]): PhraseLists {
  return {
    ...contactLists(channels),
    ...RECIPIENTS,
    ...OBJECTS,
    ...PLACES,
    ...FIRM,
    ...SOFT,
    ...SURROUNDINGS,
    ...SENTENCES,
    ...KEYWORD_SENTENCES,
    ...LIMITS,
    ...QUESTIONS,
    ...HINTS,
  };
}
