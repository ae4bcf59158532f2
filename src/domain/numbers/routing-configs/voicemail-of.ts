import type { CallBehavior, VoicemailBehavior } from './behavior-schema.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';
import type { RoutingConfig } from './schema.ts';
import { walkBehaviors } from './walk-behaviors.ts';

/**
 * Returns the voicemail of a routing config, for a transfer to it. It is the first that exists of these: the voicemail
 * outside business hours, the voicemail after the ring of business hours, the first voicemail in a menu, the default
 * voicemail.
 */
export function voicemailOf(
  config: Pick<RoutingConfig, 'open_behavior' | 'closed_behavior'> | null,
): VoicemailBehavior {
  if (config === null) return DEFAULT_VOICEMAIL;
  const { open_behavior, closed_behavior } = config;
  if (closed_behavior.type === 'voicemail') return closed_behavior;
  const afterRing = voicemailIn(open_behavior);
  if (afterRing !== null) return afterRing;
  const all = [...walkBehaviors(config)].map(({ behavior }) => voicemailIn(behavior));
  return all.find((voicemail) => voicemail !== null) ?? DEFAULT_VOICEMAIL;
}

/** Returns the voicemail of a behavior: the behavior itself, or the voicemail after its ring. */
function voicemailIn(behavior: CallBehavior): VoicemailBehavior | null {
  if (behavior.type === 'voicemail') return behavior;
  return behavior.type === 'ring' ? behavior.no_answer : null;
}
