import type { ErrorEntry } from './errors.ts';

/** Codes about calls and where they go, a part of `ERRORS`. */
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
    remedy: 'Give those numbers another routing_config_id, or null, and delete it then.',
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
      'Check the id and that the key is of the same account and mode. It is there once voicemail.created has come.',
  },
  recording_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such recording.',
    remedy:
      'Check the id and that the key is of the same account and mode. It is there once recording.created has come.',
  },
  web_client_not_found: {
    status: 404,
    group: 'voice',
    message: 'There is no such web client.',
    remedy: 'Check the id and that the key is of the same account and mode. One that was revoked gets no more tokens.',
  },
  call_not_active: {
    status: 409,
    group: 'voice',
    message: 'The call is not in a state in which this can be done.',
    remedy:
      'Keys, gathers and transcription need a call that is in progress, a media stream one that rings or is in progress, and a hang-up one that has not ended.',
  },
  gather_in_progress: {
    status: 409,
    group: 'voice',
    message: 'Keys are being gathered on this call already.',
    remedy: 'Wait for call.gather, which tells the result of the one that is open.',
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
} as const satisfies Record<string, ErrorEntry>;
