import type { CallBehavior, VoicemailBehavior } from './behavior-schema.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';
import type { RoutingConfig } from './schema.ts';
import { walkBehaviors } from './walk-behaviors.ts';

/**
 * Returns the voicemail of a number with this config, for a call that is transferred to it: the one outside business
 * hours, else the one after the ring of business hours, else the first one in a menu, else the default one.
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

/** Returns the voicemail that a behavior is, or that follows its ring. */
function voicemailIn(behavior: CallBehavior): VoicemailBehavior | null {
  if (behavior.type === 'voicemail') return behavior;
  return behavior.type === 'ring' ? behavior.no_answer : null;
}
