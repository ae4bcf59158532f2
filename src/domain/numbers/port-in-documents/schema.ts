import { DOCUMENT_KINDS, DOCUMENT_TYPES } from '../../../carriers/ports/porting.ts';
import { Closed, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const PortInDocument = Type.Object({
  id: Type.String(),
  object: Type.Literal('port_in_document'),
  port_in_id: Type.String(),
  kind: Type.Enum([...DOCUMENT_KINDS]),
  content_type: Type.Enum([...DOCUMENT_TYPES], { description: 'As recognised in the file' }),
  size_bytes: Type.Integer(),
  created_at: Timestamp,
});
export type PortInDocument = Static<typeof PortInDocument>;

export const AddDocument = Closed({ kind: Type.Enum([...DOCUMENT_KINDS], { description: 'What the document is.' }) });
