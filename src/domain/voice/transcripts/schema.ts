import { Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { SPEAKERS } from '../../../speech/port.ts';
import { UTTERANCES_MAX } from '../calls/bounds.ts';

export const Segment = Type.Object({
  speaker: Type.Enum([...SPEAKERS]),
  text: Type.String(),
  occurred_at: Timestamp,
});
export type Segment = Static<typeof Segment>;

export const Transcript = Type.Object({
  object: Type.Literal('transcript'),
  call_id: Type.String(),
  text: Type.String({ description: 'The whole transcript, one line a segment: "Agent: …" or "Customer: …"' }),
  segments: Type.Array(Segment, { maxItems: UTTERANCES_MAX, description: 'In the order of speaking' }),
});
export type Transcript = Static<typeof Transcript>;
