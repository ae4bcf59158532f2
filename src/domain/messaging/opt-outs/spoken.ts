import type { PhraseLists } from './grammar.ts';

/** Additions for requests that are spoken on calls: fillers, places where a telephone rings, lists. */
export const SPOKEN: PhraseLists = {
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
