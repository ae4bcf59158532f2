import { Closed, PageQuery, RangeQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { AudioUrl } from '../recordings/schema.ts';

export const Voicemail = Type.Object({
  id: Type.String(),
  object: Type.Literal('voicemail'),
  tenant_id: Type.String(),
  call_id: Type.String(),
  conversation_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The conversation with the caller; null for a caller who hides the number',
  }),
  from: Type.String({ description: 'E.164, a short code or "anonymous"' }),
  duration_seconds: Type.Integer(),
  transcript: Type.Union([Type.String(), Type.Null()], {
    description: 'Null if none was requested, nothing was said, or the message could not be transcribed',
  }),
  audio_url: AudioUrl,
  created_at: Timestamp,
});
export type Voicemail = Static<typeof Voicemail>;

export const VoicemailList = Closed({ ...PageQuery, ...TenantQuery, ...RangeQuery });
