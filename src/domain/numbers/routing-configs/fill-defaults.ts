import { DEFAULT_GREETING, RING_TIMEOUT } from './rules.ts';
import type {
  CallBehavior,
  CreateRoutingConfig,
  RingBehavior,
  RoutingConfig,
  VoicemailBehavior,
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
 * Returns the requested config with defaults for every absent behavior and recording field. Hours have no defaults:
 * they are stored and returned as they were given.
 */
export function fillDefaults(wanted: CreateRoutingConfig): RoutingFields {
  const { name, business_hours = null, open_behavior, closed_behavior, recording = {} } = wanted;
  return {
    name,
    business_hours,
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
