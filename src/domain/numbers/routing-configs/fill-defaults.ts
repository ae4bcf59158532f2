import type {
  CallBehavior,
  MenuBehavior,
  RelayBehavior,
  RingBehavior,
  VoicemailBehavior,
  WantedBehavior,
  WantedMenu,
  WantedRelay,
  WantedRing,
  WantedVoicemail,
} from './behavior-schema.ts';
import { fillRelay } from './relay-settings.ts';
import { DEFAULT_GREETING, MENU_TIMEOUT, MENU_TRIES, RING_TIMEOUT } from './rules.ts';
import type { CreateRoutingConfig, RoutingConfig } from './schema.ts';

/** The default behavior. Also used for calls to a number without a routing config. */
export const DEFAULT_VOICEMAIL: VoicemailBehavior = {
  type: 'voicemail',
  greeting_text: DEFAULT_GREETING,
  transcribe: true,
};

export type RoutingFields = Omit<
  RoutingConfig,
  'id' | 'object' | 'tenant_id' | 'hold_audio_status' | 'hold_audio_error' | 'created_at'
>;

/**
 * Returns the requested config with defaults for every absent behavior and recording field. Hours have no defaults:
 * they are stored and returned as they were given.
 */
export function fillDefaults(wanted: CreateRoutingConfig): RoutingFields {
  const { name, business_hours = null, open_behavior, closed_behavior, recording = {} } = wanted;
  const { hold_audio_url = null, listening_announcement = null } = wanted;
  return {
    name,
    business_hours,
    open_behavior: fillOpen(open_behavior),
    closed_behavior: closed_behavior === undefined ? DEFAULT_VOICEMAIL : fillBehavior(closed_behavior),
    recording: { enabled: recording.enabled ?? false, consent_announcement: recording.consent_announcement ?? true },
    listening_announcement,
    hold_audio_url,
  };
}

function fillOpen(wanted: CreateRoutingConfig['open_behavior']): RoutingFields['open_behavior'] {
  if (wanted.type === 'queue') return wanted;
  if (wanted.type === 'relay') return fillRelayBehavior(wanted);
  return wanted.type === 'menu' ? fillMenu(wanted) : fillRing(wanted);
}

/** Returns a behavior with defaults for every absent field. */
export function fillBehavior(wanted: WantedBehavior): CallBehavior {
  return wanted.type === 'voicemail' ? fillVoicemail(wanted) : fillOpen(wanted);
}

function fillMenu({ prompt, options, timeout_seconds, tries, otherwise }: WantedMenu): MenuBehavior {
  return {
    type: 'menu',
    prompt,
    options: Object.fromEntries(Object.entries(options).map(([key, option]) => [key, fillBehavior(option)])),
    timeout_seconds: timeout_seconds ?? MENU_TIMEOUT.default,
    tries: tries ?? MENU_TRIES.default,
    otherwise: fillBehavior(otherwise),
  };
}

function fillRelayBehavior({ fallback, ...wanted }: WantedRelay): RelayBehavior {
  const filled = fallback === undefined ? DEFAULT_VOICEMAIL : fillBehavior(fallback);
  return { type: 'relay', ...fillRelay(wanted), fallback: filled };
}

function fillRing({ targets, strategy, timeout_seconds, no_answer = null, confirm }: WantedRing): RingBehavior {
  return {
    type: 'ring',
    targets,
    strategy: strategy ?? 'simultaneous',
    timeout_seconds: timeout_seconds ?? RING_TIMEOUT.default,
    no_answer: no_answer === null ? null : fillVoicemail(no_answer),
    ...(confirm === true && { confirm }),
  };
}

function fillVoicemail(wanted: WantedVoicemail): VoicemailBehavior {
  return { ...DEFAULT_VOICEMAIL, ...wanted };
}
