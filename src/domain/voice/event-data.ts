/** The data of the events of calls, media streams, recordings and voicemails, by event type. */

import { PARTIES } from '../../carriers/ports/voice.ts';
import { Timestamp } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { STREAM_STOP_REASONS, TRANSFER_FAILURES } from './calls/call.ts';
import { GATHER_REASONS } from './calls/call-step.ts';
import { Call } from './calls/schema.ts';
import { MediaStream } from './media-streams/schema.ts';
import { Recording } from './recordings/schema.ts';
import { Segment } from './transcripts/schema.ts';
import { Voicemail } from './voicemails/schema.ts';

const TranscriptSegment = Type.Object({
  object: Type.Literal('call_transcript_segment'),
  call_id: Type.String(),
  ...Segment.properties,
});

const Digit = Type.Object({
  object: Type.Literal('call_dtmf'),
  call_id: Type.String(),
  digit: Type.String({ pattern: '^[0-9A-D*#]$' }),
  pressed_by: Type.Enum([...PARTIES]),
  occurred_at: Timestamp,
});

const GatherResult = Type.Object({
  object: Type.Literal('call_gather'),
  call_id: Type.String(),
  digits: Type.String(),
  reason: Type.Enum([...GATHER_REASONS]),
});

const EndedSpeech = Type.Object({
  object: Type.Literal('call_speech'),
  call_id: Type.String(),
  speech_id: Type.String(),
  completed: Type.Boolean({ description: 'False for one that was stopped, or could not be spoken' }),
});

const MenuChoice = Type.Object({
  object: Type.Literal('call_menu'),
  call_id: Type.String(),
  digit: Type.String({ pattern: '^[0-9*#]$' }),
  path: Type.String({ description: 'The keys that have led here, this one last; evaluate takes them as digits' }),
});

const Transfer = Type.Object({
  object: Type.Literal('call_transfer'),
  call_id: Type.String(),
  to: Type.String({ description: 'E.164, the id of a web client, or "voicemail"' }),
  reason: Type.Union([Type.Enum([...TRANSFER_FAILURES]), Type.Null()], { description: 'Why it failed' }),
});

const EmergencyCall = Type.Object({
  object: Type.Literal('emergency_call'),
  call_id: Type.String(),
  tenant_id: Type.String(),
  phone_number_id: Type.String(),
  from: Type.String({ description: 'E.164' }),
  to: Type.String(),
  web_client_id: Type.String(),
  e911_address_id: Type.Union([Type.String(), Type.Null()]),
  address_confirmed: Type.Boolean({ description: 'True if the carrier has confirmed the address for the number' }),
  placed_at: Timestamp,
});

const StreamChange = Type.Object({
  ...MediaStream.properties,
  reason: Type.Union([Type.Enum([...STREAM_STOP_REASONS]), Type.Null()], { description: 'The same as stop_reason' }),
  billed_seconds: Type.Integer({ description: 'Connected time; 0 until the stream has ended' }),
});

const SavedVoicemail = Type.Object({
  ...Voicemail.properties,
  recording_id: Type.String({ description: 'The audio of the voicemail, as a recording' }),
});

export const voiceEventData = {
  'call.started': Call,
  'call.placed': Call,
  'call.answered': Call,
  'call.completed': Call,
  'call.missed': Call,
  'call.summary': Call,
  'call.transcript': TranscriptSegment,
  'call.dtmf': Digit,
  'call.gather': GatherResult,
  'call.stream.started': StreamChange,
  'call.stream.stopped': StreamChange,
  'call.stream.failed': StreamChange,
  'call.speech.ended': EndedSpeech,
  'call.menu': MenuChoice,
  'call.transfer.started': Transfer,
  'call.transfer.completed': Transfer,
  'call.transfer.failed': Transfer,
  'emergency_call.placed': EmergencyCall,
  'voicemail.created': SavedVoicemail,
  'recording.created': Recording,
};
