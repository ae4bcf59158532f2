/** The bodies and replies of the operations on a call whose parties are connected: speak, transfer, hold. */

import { SPEAKABLE } from '../../../../http/schemas/forms.ts';
import { Closed, Text } from '../../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../../lib/type.ts';
import { SPEECH_HEARERS } from '../state/call.ts';
import { TRANSFER_FALLBACKS, TRANSFER_MODES } from '../state/call-transfer.ts';

const SPEECH_CHARS_MAX = 2_000;
const ANNOUNCEMENT_CHARS_MAX = 500;
export const RING_SECONDS = { min: 5, max: 60, default: 25 } as const;

export const Speak = Closed({
  text: Type.String({ minLength: 1, maxLength: SPEECH_CHARS_MAX, ...SPEAKABLE, description: 'Spoken as it is' }),
  to: Type.Optional(Type.Enum([...SPEECH_HEARERS], { default: 'customer', description: 'Who hears it' })),
});
export type Speak = Static<typeof Speak>;

export const SpeechQueued = Type.Object({
  call_id: Type.String(),
  speech_id: Type.String({ description: 'call.speech.ended has the same id' }),
  status: Type.Literal('speaking'),
});

export const SpeechStopped = Type.Object({ call_id: Type.String(), status: Type.Literal('stopped') });

export const StartTransfer = Closed({
  to: Text({
    maxLength: 100,
    errorCode: 'invalid_connect_to',
    description:
      'The new agent: E.164, a web client (wcl_…) or telephone (sip_phone:front) of the tenant, or "voicemail"',
  }),
  mode: Type.Optional(
    Type.Enum([...TRANSFER_MODES], {
      default: 'announce',
      description:
        'announce: the agent leaves when the new one answers. consult: the agent talks to the new one first, and completes or cancels the transfer',
    }),
  ),
  announce_text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ANNOUNCEMENT_CHARS_MAX,
      ...SPEAKABLE,
      description: 'Spoken to the new agent before it is connected',
    }),
  ),
  ring_seconds: Type.Optional(
    Type.Integer({ minimum: RING_SECONDS.min, maximum: RING_SECONDS.max, default: RING_SECONDS.default }),
  ),
  on_no_answer: Type.Optional(
    Type.Enum([...TRANSFER_FALLBACKS], {
      default: 'return',
      description:
        'If the new agent does not answer: return joins the customer with the agent or application before, voicemail takes a message, hangup ends the call',
    }),
  ),
});
export type StartTransfer = Static<typeof StartTransfer>;
