import { ApiError } from '../../../lib/errors.ts';
import { DEFAULT_GREETING, RING_TIMEOUT } from './rules.ts';
import type {
  BusinessHours,
  CallBehavior,
  CreateRoutingConfig,
  RingBehavior,
  RoutingConfig,
  VoicemailBehavior,
  WantedHours,
  WantedRing,
  WantedVoicemail,
} from './schema.ts';

/** The default behavior, also for calls to a number without a routing config. */
export const DEFAULT_VOICEMAIL: VoicemailBehavior = {
  type: 'voicemail',
  greeting_text: DEFAULT_GREETING,
  transcribe: true,
};

export type RoutingFields = Omit<RoutingConfig, 'id' | 'object' | 'tenant_id' | 'created_at'>;

/**
 * Returns the requested config with defaults for every absent behavior and recording field. Error: invalid_body
 * (holidays that contradict themselves).
 */
export function fillDefaults(wanted: CreateRoutingConfig): RoutingFields {
  const { name, business_hours = null, open_behavior, closed_behavior, recording = {} } = wanted;
  return {
    name,
    business_hours: business_hours === null ? null : checkHours(business_hours),
    open_behavior: fillRing(open_behavior),
    closed_behavior: closed_behavior === undefined ? DEFAULT_VOICEMAIL : fillBehavior(closed_behavior),
    recording: { enabled: recording.enabled ?? false, consent_announcement: recording.consent_announcement ?? true },
  };
}

function fillBehavior(wanted: WantedRing | WantedVoicemail): CallBehavior {
  return wanted.type === 'ring' ? fillRing(wanted) : fillVoicemail(wanted);
}

function fillRing({ targets, strategy, timeout_seconds, no_answer = null }: WantedRing): RingBehavior {
  return {
    type: 'ring',
    targets,
    strategy: strategy ?? 'simultaneous',
    timeout_seconds: timeout_seconds ?? RING_TIMEOUT.default,
    no_answer: no_answer === null ? null : fillVoicemail(no_answer),
  };
}

function fillVoicemail(wanted: WantedVoicemail): VoicemailBehavior {
  return { ...DEFAULT_VOICEMAIL, ...wanted };
}

/** Checks business hours. They have no defaults: they are stored and returned as they were given. */
function checkHours(hours: WantedHours): BusinessHours {
  const holidays = hours.holidays ?? [];
  holidays.forEach(checkHoliday);
  const dates = new Set<string>();
  const repeated = holidays.findIndex(({ date }) => dates.size === dates.add(date).size);
  if (repeated >= 0) throw wrongHoliday(repeated, 'date', 'is a holiday that has been listed before');
  return hours;
}

type Holiday = NonNullable<BusinessHours['holidays']>[number];

function checkHoliday({ closed, open = null, close = null }: Holiday, index: number): void {
  if (open === null && close === null) {
    if (closed === false) throw wrongHoliday(index, 'open', 'is needed for a day that is not closed');
    return;
  }
  if (closed === true) throw wrongHoliday(index, 'closed', 'contradicts the hours given with it');
  if (open === null) throw wrongHoliday(index, 'open', 'is needed where "close" is given');
  if (close === null) throw wrongHoliday(index, 'close', 'is needed where "open" is given');
}

function wrongHoliday(index: number, field: string, why: string): ApiError {
  const param = `business_hours.holidays[${index}].${field}`;
  return new ApiError('invalid_body', { param, message: `"${param}" ${why}.` });
}
