import { Closed, NullableTimestamp, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { STREAM_DIRECTIONS, STREAM_STOP_REASONS, STREAM_TRACKS } from '../calls/call.ts';
import { STREAM_STATUSES, STREAMS_LISTED_MAX } from './rules.ts';

const fields = {
  id: Type.String(),
  object: Type.Literal('media_stream'),
  call_id: Type.String(),
  tenant_id: Type.String(),
  direction: Type.Enum([...STREAM_DIRECTIONS]),
  track: Type.Enum([...STREAM_TRACKS]),
  status: Type.Enum([...STREAM_STATUSES]),
  url: Type.String({ description: 'WebSocket address of the gateway that holds the audio; use it as it is' }),
  stop_reason: Type.Union([Type.Enum([...STREAM_STOP_REASONS]), Type.Null()]),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  stopped_at: NullableTimestamp,
};

export const MediaStream = Type.Object(fields);
export type MediaStream = Static<typeof MediaStream>;

export const StartedStream = Type.Object({
  ...fields,
  token: Type.String({ description: 'Opens the stream once, within 30 seconds. Shown only here' }),
});
export type StartedStream = Static<typeof StartedStream>;

export const StartStream = Closed({
  direction: Type.Optional(
    Type.Enum([...STREAM_DIRECTIONS], { default: 'fork', description: 'With bidirectional the client can play audio' }),
  ),
  track: Type.Optional(
    Type.Enum([...STREAM_TRACKS], {
      default: 'both',
      description: 'inbound is what the customer says, outbound what the customer hears',
    }),
  ),
});
export type StartStream = Static<typeof StartStream>;

export const StreamList = Type.Object({
  data: Type.Array(MediaStream, { maxItems: STREAMS_LISTED_MAX, description: 'The latest ones, newest first' }),
});
