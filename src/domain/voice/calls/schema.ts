import { ANSWER_KINDS } from '../../../carriers/ports/voice.ts';
import { FORM_CHARS_MAX, SPEAKABLE } from '../../../http/schemas/forms.ts';
import {
  CheckError,
  Closed,
  FilterId,
  FilterParty,
  Id,
  NullableTimestamp,
  PageQuery,
  RangeQuery,
  TenantQuery,
  Text,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { ATTESTATIONS } from '../../../lib/phone/attestation.ts';
import { NAME_CHARS_MAX } from '../../../lib/phone/display-name.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ListeningAnnouncement, WantedRelaySettings } from '../../numbers/index.ts';
import { LOG_ENTRIES_MAX } from './bounds.ts';
import { MachineDetection } from './machine-detection.ts';
import { CALL_OUTCOMES, CALL_STATUSES } from './state/call.ts';
import { ROUTE_BRANCHES, ROUTE_REASONS } from './state/call-route.ts';
import { CALL_LOG_FIELDS, CALL_LOG_TYPES } from './state/call-step.ts';

/** DTMF digits and pauses that can be sent into a call, as characters of a pattern. */
const DIGITS = { characters: '0-9A-D*#wW', charsMax: 32 } as const;

export const GATHER = {
  promptCharsMax: 500,
  digitsMax: 32,
  timeoutMs: { min: 1_000, max: 60_000, default: 10_000 },
} as const;

const NullableText = Type.Union([Type.String(), Type.Null()]);

const LOG_FIELDS = Object.entries(CALL_LOG_FIELDS)
  .map(([type, fields]) => `${type}: ${fields.join(', ') || 'none'}`)
  .join('; ');

export const CALL_DIRECTIONS = ['inbound', 'outbound'] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

const CallRoute = Type.Object({
  routing_config_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The routing config that decided; null for a number without one',
  }),
  branch: Type.Enum([...ROUTE_BRANCHES], {
    description: 'open or closed hours, a menu that the caller was offered, or none: a number without routing',
  }),
  reason: Type.Union([Type.Enum([...ROUTE_REASONS]), Type.Null()], {
    description: 'Null while the call is undecided: its targets ring, or the caller is in a menu',
  }),
  at: Timestamp,
});

export const Call = Type.Object({
  id: Type.String(),
  object: Type.Literal('call'),
  tenant_id: Type.String(),
  phone_number_id: Type.String(),
  conversation_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The conversation of the number and the other party; null for a caller who hides the number',
  }),
  direction: Type.Enum([...CALL_DIRECTIONS]),
  from: Type.String({ description: 'E.164; of an inbound call also a short code or "anonymous"' }),
  to: Type.String(),
  caller_name: Type.Union([Type.String({ maxLength: NAME_CHARS_MAX }), Type.Null()], {
    description:
      'The name that the caller of an inbound call shows, as the carrier gives it; null without one, and if the number is withheld. Nobody has checked it',
  }),
  attestation: Type.Union([Type.Enum([...ATTESTATIONS]), Type.Null()], {
    description:
      'Whether the caller of an inbound call may use the number, as the carrier says (STIR/SHAKEN): attested A, B or C, "failed", or "none" if it has not checked; null where it says nothing',
  }),
  connect_to: Type.Union([Type.String(), Type.Null()], {
    description:
      'The agent of a click-to-call, "application", "relay", or the web client or telephone that placed the call',
  }),
  status: Type.Enum([...CALL_STATUSES]),
  outcome: Type.Union([Type.Enum([...CALL_OUTCOMES]), Type.Null()], { description: 'Null until the call has ended' }),
  answered_by: Type.Union([Type.String(), Type.Null()], {
    description:
      'Who answered: E.164, "web_client:" and its id, "sip_phone:" and its name, "application", "relay" or "voicemail"; null before',
  }),
  answered_by_kind: Type.Union([Type.Enum([...ANSWER_KINDS]), Type.Null()], {
    description: 'Who answered a call with `machine_detection`; null without it, and until it is known',
  }),
  route: Type.Union([CallRoute, Type.Null()], {
    description: 'Why an inbound call went where it did, as it was decided; null for an outbound call',
  }),
  duration_seconds: Type.Integer({ description: 'Connected time, set when the call ends; 0 before' }),
  record: Type.Boolean({ description: 'Whether the call is to be recorded' }),
  recording_id: NullableText,
  voicemail_id: NullableText,
  summary: NullableText,
  started_at: Timestamp,
  ended_at: NullableTimestamp,
  events: Type.Array(
    Type.Object({
      type: Type.Enum([...CALL_LOG_TYPES]),
      at: Timestamp,
      detail: Type.Object({}, { additionalProperties: true, description: `Fields by type: ${LOG_FIELDS}` }),
    }),
    { maxItems: LOG_ENTRIES_MAX, description: 'The log of the call, in order; its end is always in it' },
  ),
});
export type Call = Static<typeof Call>;

export const PlaceCall = Closed({
  from: Type.String({ ...Id, description: 'A number of yours: its id (num_…) or its E.164 form' }),
  to: Text({ maxLength: 100, errorCode: 'invalid_to_number', description: 'The customer, E.164' }),
  connect_to: Text({
    maxLength: 100,
    errorCode: 'invalid_connect_to',
    description:
      'The agent, who rings first: E.164, a web client (wcl_…) or telephone (sip_phone:front) of the tenant. With "application" your software talks to the customer, with "relay" the agent of text of the field relay',
  }),
  transcribe: Type.Optional(Type.Boolean({ default: false })),
  record: Type.Optional(Type.Boolean({ default: false, description: 'Both parties hear an announcement first' })),
  listening_announcement: Type.Optional(ListeningAnnouncement),
  relay: Type.Optional(WantedRelaySettings),
  machine_detection: Type.Optional(MachineDetection),
});
export type PlaceCall = Static<typeof PlaceCall>;

export const CallCheck = Type.Object({
  accepted: Type.Boolean(),
  error: CheckError,
  warnings: Type.Array(
    Type.Object({ code: Type.Enum(['recipient_opted_out', 'quiet_hours']), message: Type.String() }),
    { maxItems: 2, description: 'What does not refuse the call, and a person should know before it' },
  ),
});
export type CallCheck = Static<typeof CallCheck>;

export const CallList = Closed({
  ...PageQuery,
  ...TenantQuery,
  phone_number_id: FilterId('phone_number_not_found'),
  direction: Type.Optional(Type.Enum([...CALL_DIRECTIONS], { description: 'Only those of this direction.' })),
  status: Type.Optional(Type.Enum([...CALL_STATUSES], { description: 'Only those with this status.' })),
  outcome: Type.Optional(Type.Enum([...CALL_OUTCOMES], { description: 'Only those with this outcome.' })),
  route_reason: Type.Optional(
    Type.Enum([...ROUTE_REASONS], { description: 'Only inbound calls whose route has this reason.' }),
  ),
  external_number: FilterParty,
  ...RangeQuery,
});

export const SendDigits = Closed({
  digits: Type.String({
    maxLength: FORM_CHARS_MAX,
    pattern: `^[${DIGITS.characters}]{1,${DIGITS.charsMax}}$`,
    form: `1 to ${DIGITS.charsMax} characters of 0-9 A-D * # w W`,
    description: 'w pauses half a second, W one',
  }),
});

export const DigitsSent = Type.Object({
  call_id: Type.String(),
  digits: Type.String(),
  status: Type.Literal('sent'),
});

export const StartGather = Closed({
  prompt: Type.String({ maxLength: GATHER.promptCharsMax, ...SPEAKABLE, description: 'Spoken to the customer' }),
  max_digits: Type.Optional(Type.Integer({ minimum: 1, maximum: GATHER.digitsMax, default: 1 })),
  terminator: Type.Optional(
    Type.String({
      maxLength: FORM_CHARS_MAX,
      pattern: '^[0-9*#]$',
      form: 'one digit of 0-9 * #',
      description: 'Ends the input; it is not among the digits',
    }),
  ),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: GATHER.timeoutMs.min,
      maximum: GATHER.timeoutMs.max,
      default: GATHER.timeoutMs.default,
      description: 'How long each digit may take once the prompt is over',
    }),
  ),
});
export type StartGather = Static<typeof StartGather>;

export const GatherStarted = Type.Object({ call_id: Type.String(), status: Type.Literal('listening') });
export const TranscriptionStarted = Type.Object({ call_id: Type.String(), status: Type.Literal('transcribing') });
