import type { ErrorEntry } from './entry.ts';

/** Codes of texts, conversations and opt-outs, a part of `ERRORS`. */
export const MESSAGING_ERRORS = {
  empty_message: {
    status: 400,
    group: 'messaging',
    message: 'The message has neither a body nor media.',
    remedy: 'Give body, media_urls or both.',
  },
  body_too_long: {
    status: 400,
    group: 'messaging',
    message: 'The body is longer than 1600 characters.',
    remedy: 'Shorten it or send it as several messages.',
  },
  message_too_long: {
    status: 400,
    group: 'messaging',
    message: 'The text has more segments than its carrier takes.',
    remedy: 'Shorten it or send it as several messages. POST /v1/messages/check counts the segments.',
  },
  invalid_send_at: {
    status: 400,
    group: 'messaging',
    message: '"send_at" must be a moment between 1 minute and 30 days ahead.',
    remedy:
      'Write it in RFC 3339 with its offset, such as 2026-11-20T09:00:00-07:00. With a test key it is compared with the test clock.',
  },
  message_not_cancellable: {
    status: 409,
    group: 'messaging',
    message: 'Only a scheduled text can be canceled.',
    remedy: 'The text has left, has failed or is one that you received. Read its status.',
  },
  template_not_found: {
    status: 404,
    group: 'messaging',
    message: 'There is no such message template.',
    remedy:
      'List them with GET /v1/message_templates. A template of one tenant serves only texts from a number of this tenant.',
  },
  missing_variables: {
    status: 400,
    group: 'messaging',
    message: 'The template needs values that "variables" does not have.',
    remedy: 'Give each variable of the template a value; GET /v1/message_templates/{template_id} lists their names.',
  },
  media_not_found: {
    status: 404,
    group: 'messaging',
    message: 'This message has no such file.',
    remedy:
      'Take the address from the media of the message. If the carrier has not sent the file yet, retry after the seconds in Retry-After.',
  },
  invalid_to: {
    status: 400,
    group: 'messaging',
    message: 'The destination is not an E.164 number that can be dialled.',
    remedy:
      'Write it as + and digits, such as +16025550143; US and Canadian numbers have ten digits after +1. No number can text itself.',
  },
  recipient_opted_out: {
    status: 422,
    group: 'messaging',
    message: 'The recipient has opted out of texts, or of calls where software speaks, from this tenant.',
    remedy:
      'Do not retry. A START from the person ends the opt-out. You can also lift an opt-out with source api or import (DELETE /v1/opt_outs). A human agent may still call.',
  },
  opt_out_not_removable: {
    status: 409,
    group: 'messaging',
    message: 'The recipient opted out; only a START from the recipient ends the opt-out.',
    remedy: 'Opt-outs with source api or import can be removed here. Opt-outs by the person or the carrier cannot.',
  },
  from_number_not_found: {
    status: 404,
    group: 'messaging',
    message: '"from" is not an active number of yours.',
    remedy: 'Use the id (num_…) or E.164 form of a number that has been purchased and not released.',
  },
  number_not_sms_capable: {
    status: 422,
    group: 'messaging',
    message: 'This number is for voice only.',
    remedy: 'Send from a number whose capabilities include sms.',
  },
  message_not_found: {
    status: 404,
    group: 'messaging',
    message: 'There is no such message.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  conversation_not_found: {
    status: 404,
    group: 'messaging',
    message: 'There is no such conversation.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  note_not_found: {
    status: 404,
    group: 'messaging',
    message: 'This conversation has no such note.',
    remedy: 'List its notes with GET /v1/conversations/{conversation_id}/notes.',
  },
  too_many_notes: {
    status: 409,
    group: 'messaging',
    message: 'This conversation already has the maximum number of notes.',
    remedy: 'Delete one. A conversation has at most 1,000.',
  },
} as const satisfies Record<string, ErrorEntry>;
