/**
 * The data of calls, media streams, recordings and voicemails in events, by the names in the event catalogue's entries.
 */
import { Timestamp } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { Call } from './calls/schema.ts';
import { STREAM_STOP_REASONS } from './calls/state/call.ts';
import { MediaStream } from './media-streams/schema.ts';
import { Recording } from './recordings/schema.ts';
import { Relay } from './relays/schema.ts';
import { Segment } from './transcripts/schema.ts';
import { Voicemail } from './voicemails/schema.ts';

const Redacted = {
  redacted_at: Type.Optional(
    Type.Unsafe<Date>({ ...Timestamp, description: 'The time when its content was deleted; absent until then' }),
  ),
};

const TranscriptSegment = Type.Object({
  object: Type.Literal('call_transcript_segment'),
  call_id: Type.String(),
  ...Segment.properties,
  ...Redacted,
});

const SavedRecording = Type.Object({ ...Recording.properties, ...Redacted });

const StreamChange = Type.Object({
  ...MediaStream.properties,
  reason: Type.Union([Type.Enum([...STREAM_STOP_REASONS]), Type.Null()], { description: 'The same as stop_reason' }),
  billed_seconds: Type.Integer({ description: 'Connected time; 0 until the stream has ended' }),
});

const RelayChange = Type.Object({
  ...Relay.properties,
  billed_seconds: Type.Integer({ description: 'Connected time; 0 until the relay has ended' }),
});

const SavedVoicemail = Type.Object({
  ...Voicemail.properties,
  recording_id: Type.String({ description: 'The audio of the voicemail, as a recording' }),
  ...Redacted,
});

export const voiceEventData = {
  call: Call,
  call_transcript_segment: TranscriptSegment,
  media_stream: StreamChange,
  call_relay: RelayChange,
  voicemail: SavedVoicemail,
  recording: SavedRecording,
};
