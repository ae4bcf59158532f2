import { type Static, Type } from 'typebox';
import { Timestamp } from '../../../http/schemas/schemas.ts';
import { SPEAKERS } from '../../../speech/port.ts';

export const Transcript = Type.Object({
  object: Type.Literal('transcript'),
  call_id: Type.String(),
  text: Type.String({ description: 'The whole transcript, one line a segment: "Agent: …" or "Customer: …"' }),
  segments: Type.Array(
    Type.Object({
      speaker: Type.Enum([...SPEAKERS]),
      text: Type.String(),
      occurred_at: Timestamp,
    }),
    { description: 'In the order of speaking' },
  ),
});
export type Transcript = Static<typeof Transcript>;
export type Segment = Transcript['segments'][number];
