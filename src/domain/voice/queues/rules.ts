import { FORM_CHARS_MAX, type ShortForm } from '../../../http/schemas/forms.ts';

export const NAME_CHARS_MAX = 200;
export const QUEUE_STRATEGIES = ['longest_idle', 'round_robin', 'ring_all'] as const;
export const AGENT_STATES = ['available', 'away', 'ringing', 'busy', 'wrap_up'] as const;
export const AVAILABILITIES = ['available', 'away'] as const;
export const AGENTS_MAX = 200;

type Range = { readonly min: number; readonly max: number; readonly default: number };
export const RING_SECONDS: Range = { min: 1, max: 120, default: 20 };
export const WRAP_UP_SECONDS: Range = { min: 0, max: 3_600, default: 0 };
export const MAX_WAITING: Range = { min: 1, max: 1_000, default: 100 };
export const MAX_WAIT_SECONDS: Range = { min: 1, max: 14_400, default: 1_800 };
export const ANNOUNCE_SECONDS = { min: 5, max: 600 } as const;

/** The time without rings for an agent that declined, was busy or could not be reached. */
export const REST_SECONDS = 10;

/** A reference to an agent of a queue. */
export const AGENT: ShortForm = {
  maxLength: 100,
  pattern: '^(wcl_[0-9a-z_]+|sip_phone:[a-z][a-z0-9-]{0,30}|\\+[1-9][0-9]{6,14})$',
  form: 'the id of a web client, sip_phone: and the name of a telephone, or an E.164 number',
};

export const CALLBACK_DIGIT: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: '^[0-9*#]$',
  form: 'one of 0 to 9, * and #',
};
