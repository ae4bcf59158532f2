import type { ErrorEntry } from './entry.ts';

/** Codes of calls, routing, recordings and web clients, a part of `ERRORS`. */
export const VOICE_ERRORS = {
  destination_not_supported: {
    status: 422,
    group: 'voice',
    message: 'This destination is not served.',
    remedy:
      'High-cost exchanges and countries outside the allowed list are blocked, for texts, calls and ring targets.',
  },
  routing_config_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such routing config.',
    remedy: "Check the id; for a number, the routing config must belong to the number's tenant.",
  },
  routing_config_in_use: {
    status: 409,
    group: 'voice',
    message: 'Numbers are routed by this config.',
    remedy: 'Give those numbers another routing_config_id, or null. Then delete the config.',
  },
  queue_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such queue.',
    remedy:
      'Check the id. A behavior can name a queue of its tenant only, and an agent must be in the list of the queue.',
  },
  queue_in_use: {
    status: 409,
    group: 'voice',
    message: 'Callers wait in this queue, or a routing config or the overflow of a queue leads to it.',
    remedy: 'Change those routing configs and queues, wait until `waiting` is 0, and then delete the queue.',
  },
  invalid_to_number: {
    status: 400,
    group: 'voice',
    message: '"to" is not a number that can be called.',
    remedy: "Give the customer's number in E.164 form, such as +16025550143. No number can call itself.",
  },
  invalid_connect_to: {
    status: 400,
    group: 'voice',
    message: '"connect_to" is not a number that can be called.',
    remedy:
      "Give the agent's number in E.164 form, such as +16025550143, and not the number that the call is made from.",
  },
  call_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such call.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  voicemail_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such voicemail.',
    remedy:
      'Check the id and that the key is of the same account and mode. It exists once voicemail.created has been sent.',
  },
  transcript_not_found: {
    status: 404,
    group: 'voice',
    message: 'The transcript of this call was deleted.',
    remedy: 'A deleted transcript is not restored. What was said in the call after the deletion was not kept either.',
  },
  recording_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such recording.',
    remedy:
      'Check the id and that the key is of the same account and mode. It exists once recording.created has been sent.',
  },
  web_client_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such web client.',
    remedy: 'Check the id and that the key is of the same account and mode. A revoked web client gets no more tokens.',
  },
  call_not_active: {
    status: 409,
    group: 'voice',
    message: 'The state of the call does not allow this.',
    remedy:
      'Digits, gathers and transcription need a call in progress. A speech, a transfer, hold and control of the recording need one whose parties are connected. A media stream needs a call that rings or is in progress. A hang-up needs a call that has not ended.',
  },
  recording_not_active: {
    status: 409,
    group: 'voice',
    message: 'The call has no recording that can be paused, resumed or stopped.',
    remedy: 'Start one. If the message says that the carrier cannot pause, stop the recording and start another one.',
  },
  gather_in_progress: {
    status: 409,
    group: 'voice',
    message: 'A gather is already in progress on this call.',
    remedy: 'Wait for call.gather, which has the result of the gather in progress.',
  },
  speech_queue_full: {
    status: 409,
    group: 'voice',
    message: 'Ten speeches of this call are not over yet.',
    remedy: 'Wait for call.speech.ended, or stop the speeches with POST /v1/calls/{call_id}/speak/stop.',
  },
  transfer_in_progress: {
    status: 409,
    group: 'voice',
    message: 'A transfer of this call is under way.',
    remedy: 'Wait for call.transfer.completed or call.transfer.failed.',
  },
  listener_not_found: {
    status: 404,
    group: 'voice',
    message: 'This call has no such listener.',
    remedy: 'Check both ids. A listener ends with its call, and when its web client hangs up.',
  },
  listener_not_possible: {
    status: 409,
    group: 'voice',
    message: 'The web client is a party of this call or listens to it, or ten web clients listen to it.',
    remedy: 'The message says why. A web client listens to one call at a time, and not while it is on another call.',
  },
  no_consult_in_progress: {
    status: 409,
    group: 'voice',
    message: 'No consult transfer of this call is under way.',
    remedy:
      'Start one with POST /v1/calls/{call_id}/transfer and mode consult. It ends when the agent or the new agent leaves.',
  },
  stream_not_found: {
    status: 404,
    group: 'voice',
    message: 'This call has no such media stream.',
    remedy: 'Check both ids and that the key is of the same account and mode.',
  },
  stream_already_active: {
    status: 409,
    group: 'voice',
    message: 'This call has a media stream already.',
    remedy: 'A call has one at a time: use that one, or stop it first.',
  },
  relay_active: {
    status: 409,
    group: 'voice',
    message: 'This call has a relay already.',
    remedy: 'A call has one relay or media stream at a time: end it with DELETE /v1/calls/{call_id}/relay first.',
  },
  relay_not_found: {
    status: 404,
    group: 'voice',
    message: 'This call has had no relay.',
    remedy: 'Check the id of the call. POST /v1/calls/{call_id}/relay starts a relay.',
  },
  speech_unavailable: {
    status: 503,
    group: 'voice',
    message: 'The text cannot be spoken on live calls at the moment.',
    remedy:
      'Retry after the seconds in Retry-After. A text in another script than Latin needs a voice server: the operator sets VOICE_URL. Nothing was changed.',
  },
} as const satisfies Record<string, ErrorEntry>;
