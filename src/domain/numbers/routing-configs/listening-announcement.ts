import { SPEAKABLE } from '../../../http/schemas/forms.ts';
import { Nullable } from '../../../http/schemas/schemas.ts';
import { Type } from '../../../lib/type.ts';

const ANNOUNCEMENT_CHARS_MAX = 500;

/**
 * The announcement to the customer of a call before any recording or agent starts: a field of routing configs, and of
 * requests for calls.
 */
export const ListeningAnnouncement = Nullable(
  Type.String({
    minLength: 1,
    maxLength: ANNOUNCEMENT_CHARS_MAX,
    ...SPEAKABLE,
    description:
      'Spoken to the customer before the first frame of a stream, the first word of a transcript or the first speech of an application. Null: nothing is spoken',
  }),
);
