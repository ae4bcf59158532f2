import { Closed, Metadata, NullableTimestamp, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { URL_CHARS_MAX } from '../../../outbound/address-guard.ts';
import { STREAM_DIALECTS, STREAM_DIRECTIONS, STREAM_STOP_REASONS, STREAM_TRACKS } from '../calls/state/call.ts';
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
  connect_url: Type.Union([Type.String(), Type.Null()], {
    description: 'The address that the gateway connects to. Null if a client connects to url',
  }),
  connect_error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the gateway could not connect to connect_url, in a sentence',
  }),
  dialect: Type.Enum([...STREAM_DIALECTS]),
  parameters: Metadata,
  stop_reason: Type.Union([Type.Enum([...STREAM_STOP_REASONS]), Type.Null()]),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  stopped_at: NullableTimestamp,
};

export const MediaStream = Type.Object(fields);
export type MediaStream = Static<typeof MediaStream>;

export const StartedStream = Type.Object({
  ...fields,
  token: Type.String({
    description: 'Opens the stream once, within 30 seconds. Shown only here. Empty with connect_url',
  }),
});
export type StartedStream = Static<typeof StartedStream>;

export const StartStream = Closed({
  direction: Type.Optional(
    Type.Enum([...STREAM_DIRECTIONS], { default: 'fork', description: 'With bidirectional the client can play audio' }),
  ),
  track: Type.Optional(
    Type.Enum([...STREAM_TRACKS], {
      description:
        'inbound is what the customer says, outbound what the customer hears. The default is both, and inbound for a ' +
        'bidirectional stream in the dialect twilio',
    }),
  ),
  connect_url: Type.Optional(
    Type.String({
      maxLength: URL_CHARS_MAX,
      errorCode: 'invalid_url',
      description: 'A wss address on the public internet that the gateway connects to',
    }),
  ),
  dialect: Type.Optional(
    Type.Enum([...STREAM_DIALECTS], {
      default: 'native',
      description: "The form of the messages: native, or twilio for that of Twilio's Media Streams",
    }),
  ),
  parameters: Type.Optional(Metadata),
});
export type StartStream = Static<typeof StartStream>;

export const StreamList = Type.Object({
  data: Type.Array(MediaStream, { maxItems: STREAMS_LISTED_MAX, description: 'The latest ones, newest first' }),
});
