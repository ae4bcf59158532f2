import type { ErrorCode } from '../../../lib/errors/errors.ts';
import type { OperationTexts } from './operation-text.ts';

const CALL: readonly ErrorCode[] = ['call_not_found', 'tenant_restricted_key'];
const ACTIVE_CALL: readonly ErrorCode[] = [...CALL, 'call_not_active'];
/**
 * Errors of commands for a call. Such a command is refused with carrier_unavailable if the call's queue of commands is
 * full.
 */
const QUEUED: readonly ErrorCode[] = [...ACTIVE_CALL, 'carrier_unavailable'];
const AUDIO =
  'The audio is a WAV file. With a `Range` header of one range the reply is 206 with that part, so that players can ' +
  'seek. `audio_url` is a signed address for it, which needs no key and is valid for an hour.';

/** Calls, their audio, recordings, voicemails and web clients. */
export const VOICE_TEXTS: OperationTexts = {
  placeCall: {
    description:
      'Calls an agent (`connect_to`), then the customer (`to`), and connects the two. Both see the number of the ' +
      'tenant. The call goes from `dialing` over `ringing` and `in_progress` to `completed`, or ends as `failed`; ' +
      '`outcome` is the reason. A call where software speaks (`connect_to: "application"`) is refused for a person who ' +
      'has opted out of calls; an agent may call. With `machine_detection` the call says who answered: a machine may end ' +
      'it, or get a message after its beep. The parties are connected in any case, without delay.',
    errors: [
      'invalid_url',
      'from_number_not_found',
      'invalid_to_number',
      'invalid_connect_to',
      'web_client_not_found',
      'destination_not_supported',
      'recipient_opted_out',
      'speech_unavailable',
      'tenant_restricted_key',
      'insufficient_balance',
      'carrier_unavailable',
    ],
    events: ['call.placed', 'call.answered', 'call.machine_detected', 'call.greeting_ended', 'call.completed'],
  },
  optOutCall: {
    description:
      "Opts the call's customer out of the tenant's texts, and of calls where software speaks, because the customer " +
      'has said so. The call may have ended. A repetition changes nothing. A customer who hides the number is ' +
      '`invalid_phone`.',
    errors: [...CALL, 'invalid_phone'],
    events: ['opt_out.created'],
  },
  checkCall: {
    description:
      'Judges a call as `POST /v1/calls` would, without placing it. `accepted` is false with the `error` that the call ' +
      'would get; a body that is no call at all is refused. `warnings` do not refuse the call: `recipient_opted_out` ' +
      '(the person has opted out of calls where software speaks, and a human agent may call) and `quiet_hours` (of ' +
      'the tenant, at the person). The audio of a message is not fetched.',
    errors: ['carrier_unavailable'],
  },
  listSipPhones: {
    description:
      'Returns the telephones of tenants at the SIP engines that the account uses, by tenant and name. The operator ' +
      'makes them. In test mode the list is empty: every name is a telephone there.',
    errors: ['tenant_restricted_key'],
  },
  listCalls: {
    description: 'Returns the calls, newest first. All filters can be combined.',
    errors: ['phone_number_not_found', 'tenant_restricted_key'],
  },
  getCall: { description: 'Returns a call with everything that has happened in it.', errors: CALL },
  startGather: {
    description:
      'Speaks a prompt to the customer and collects the digits that the customer presses, until the terminator, ' +
      '`max_digits`, the timeout or the end of the call. The event has the digits.',
    errors: [...ACTIVE_CALL, 'gather_in_progress', 'speech_unavailable'],
    events: ['call.dtmf', 'call.gather'],
  },
  sendDtmf: {
    description: 'Sends digits to the customer. `w` waits half a second, `W` a second.',
    errors: QUEUED,
  },
  startTranscription: {
    description:
      'Transcribes the call from now to its end. Each utterance is an event and part of the transcript; the summary ' +
      'follows the end of the call. A repetition changes nothing.',
    errors: ACTIVE_CALL,
    events: ['call.transcript', 'call.summary'],
  },
  hangUpCall: { description: 'Ends a call for all parties.', errors: ACTIVE_CALL, events: ['call.completed'] },
  speakCall: {
    description: 'Speaks a text to the customer, the agent or both. Speeches of a call wait for each other.',
    errors: [...QUEUED, 'speech_queue_full', 'speech_unavailable'],
    events: ['call.speech.ended'],
  },
  stopCallSpeak: {
    description: 'Ends the current speech of a call, and drops the waiting speeches.',
    errors: ACTIVE_CALL,
    events: ['call.speech.ended'],
  },
  transferCall: {
    description:
      'Connects the customer with another agent, or with the voicemail. The customer hears hold audio while the new ' +
      'agent rings. With mode `announce` the old agent leaves when the new one answers; with mode `consult` the two talk ' +
      'first. `on_no_answer` says what follows if the new agent does not answer.',
    errors: [
      ...QUEUED,
      'transfer_in_progress',
      'no_consult_in_progress',
      'destination_not_supported',
      'web_client_not_found',
      'speech_unavailable',
      'insufficient_balance',
    ],
    events: ['call.transfer.started', 'call.transfer.answered', 'call.transfer.completed', 'call.transfer.failed'],
  },
  createCallListener: {
    description:
      'Lets a web client of the tenant hear all parties of a call whose parties are connected. `speaks_to` says who ' +
      'hears it. It begins once the listening announcement that is due has been spoken. The web client is on the call ' +
      'like a party meanwhile: it gets the audio, may hang up, and is busy. The audit log has its begin and its end.',
    errors: [...QUEUED, 'web_client_not_found', 'listener_not_possible'],
  },
  deleteCallListener: {
    description: 'Ends a listener of a call. A listener also ends with the call, and when its web client hangs up.',
    errors: [...CALL, 'listener_not_found'],
  },
  completeCallTransfer: {
    description:
      'Connects the customer with the new agent of a consult transfer; the agent who has asked leaves. While the new ' +
      'agent still rings, the customer is connected as soon as it answers.',
    errors: [...ACTIVE_CALL, 'no_consult_in_progress'],
    events: ['call.transfer.completed'],
  },
  cancelCallTransfer: {
    description:
      'Ends a consult transfer: the new agent is hung up, and the customer is connected with the agent again.',
    errors: [...ACTIVE_CALL, 'no_consult_in_progress'],
    events: ['call.transfer.failed'],
  },
  holdCall: {
    description: 'Plays hold audio to the customer, who no longer hears the agent. A repetition changes nothing.',
    errors: QUEUED,
  },
  resumeCall: {
    description: 'Connects the customer on hold with the agent again. A repetition changes nothing.',
    errors: QUEUED,
  },
  controlCallRecording: {
    description:
      'Starts, pauses, resumes or stops the recording of a call whose parties are connected. A recording that is started ' +
      'is announced to both parties first, unless the routing config of an inbound call says otherwise. A repetition ' +
      'changes nothing. After a stop, a start begins another recording.',
    errors: [...QUEUED, 'recording_not_active', 'speech_unavailable'],
    events: ['recording.created'],
  },
  createCallStream: {
    description:
      'Opens a media stream: the audio of the call over a WebSocket at `url`. The reply alone has the `token`, which ' +
      'works once. With `connect_url` the gateway connects to your server instead. With `bidirectional` your audio is ' +
      'played into the call. A call has one stream at a time; it is billed per connected minute.',
    errors: [...ACTIVE_CALL, 'invalid_url', 'stream_already_active', 'relay_active', 'carrier_unavailable'],
    events: ['call.stream.started', 'call.stream.stopped', 'call.stream.failed'],
  },
  listCallStreams: { description: 'Returns all media streams of a call.', errors: CALL },
  deleteCallStream: {
    description: 'Stops a media stream. A stream that has ended already is returned as it is.',
    errors: [...CALL, 'stream_not_found'],
    events: ['call.stream.stopped'],
  },
  createCallRelay: {
    description:
      'Connects an agent of text to the call, by a WebSocket that the gateway opens to `url`. The server recognises ' +
      'what the customer says and speaks what the agent sends. The agent is connected once the listening ' +
      'announcement has been spoken. A person who has opted out of calls is not called by software.',
    errors: [
      ...ACTIVE_CALL,
      'invalid_url',
      'recipient_opted_out',
      'relay_active',
      'stream_already_active',
      'speech_unavailable',
      'carrier_unavailable',
    ],
    events: ['call.relay.started', 'call.relay.ended'],
  },
  getCallRelay: {
    description: 'Returns the latest relay of a call, also after its end.',
    errors: [...CALL, 'relay_not_found'],
  },
  deleteCallRelay: {
    description:
      'Ends the relay of a call, and returns it. One that has ended already is returned as it is. Where the relay was ' +
      'the party of the call, your software has 10 s to go on with the customer.',
    errors: [...CALL, 'relay_not_found'],
    events: ['call.relay.ended'],
  },
  getCallTranscript: {
    description:
      'Returns the utterances of a transcribed call in order, also while it is in progress. A call without a ' +
      'transcription has an empty one; a deleted transcript is not found.',
    errors: [...CALL, 'transcript_not_found'],
  },
  deleteCallTranscript: {
    description:
      'Deletes the transcript and the summary of a call. Events of the utterances keep their id, speaker and time, ' +
      'without the words. What is said in the call after the deletion is not kept.',
    errors: [...CALL, 'transcript_not_found'],
  },
  listRecordings: {
    description: 'Returns the recordings, newest first.',
    errors: ['call_not_found', 'tenant_restricted_key'],
  },
  getRecording: { description: 'Returns a recording.', errors: ['recording_not_found', 'tenant_restricted_key'] },
  deleteRecording: {
    description:
      'Deletes a recording. Its audio is deleted from the store right after the reply. The event `recording.created` ' +
      'keeps its id and says `redacted_at`; the call keeps its `recording_id`. The recording of a voicemail is ' +
      'deleted with the voicemail. A recording exists once its audio is kept: that of a running call is not found.',
    errors: ['recording_not_found', 'tenant_restricted_key'],
  },
  getRecordingAudio: {
    description: `Returns the audio of a recording. ${AUDIO}`,
    errors: ['recording_not_found', 'tenant_restricted_key', 'storage_unavailable'],
  },
  listVoicemails: { description: 'Returns the voicemails, newest first.', errors: ['tenant_restricted_key'] },
  getVoicemail: { description: 'Returns a voicemail.', errors: ['voicemail_not_found', 'tenant_restricted_key'] },
  deleteVoicemail: {
    description:
      'Deletes a voicemail with its transcript and its recording. Its audio is deleted from the store right after the ' +
      'reply. The event `voicemail.created` loses its transcript and says `redacted_at`; the call keeps its ' +
      '`voicemail_id`.',
    errors: ['voicemail_not_found', 'tenant_restricted_key'],
  },
  getVoicemailAudio: {
    description: `Returns the audio of a voicemail. ${AUDIO}`,
    errors: ['voicemail_not_found', 'tenant_restricted_key', 'storage_unavailable'],
  },
  listWebClients: { description: 'Returns the web clients, newest first.', errors: ['tenant_restricted_key'] },
  createWebClient: {
    description:
      'Creates a phone in a browser for one person. Mint a login token for each session; several devices at once need ' +
      'a web client each.',
    errors: ['e911_address_not_found', 'tenant_not_found', 'tenant_restricted_key'],
  },
  deleteWebClient: {
    description: 'Revokes a web client: its tokens stop working and its sessions end. A repetition has the same reply.',
    errors: ['web_client_not_found', 'tenant_restricted_key'],
  },
  createWebClientToken: {
    description: 'Mints a short-lived token. The browser logs in with it. Mint the token on your server.',
    errors: ['web_client_not_found', 'tenant_restricted_key'],
  },
};
