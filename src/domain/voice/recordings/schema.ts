import { Closed, FilterId, PageQuery, RangeQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const AudioUrl = Type.String({
  description: 'Plays the audio for an hour, without a key; in events the path of the audio, which needs a key',
});

export const Recording = Type.Object({
  id: Type.String(),
  object: Type.Literal('recording'),
  tenant_id: Type.String(),
  call_id: Type.String(),
  duration_seconds: Type.Integer(),
  consent_announced: Type.Boolean({ description: 'Whether both parties heard the announcement to its end' }),
  audio_url: AudioUrl,
  created_at: Timestamp,
});
export type Recording = Static<typeof Recording>;

export const RecordingList = Closed({
  ...PageQuery,
  ...TenantQuery,
  call_id: FilterId('call_not_found'),
  ...RangeQuery,
});
