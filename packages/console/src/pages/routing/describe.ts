import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/routing.ts';
import type { Behavior } from './draft.ts';

const t = texts.describe;

/** Describes a behavior in a few words, for lists. */
export function describe(behavior: Behavior): string {
  switch (behavior.type) {
    case 'ring': {
      const names = behavior.targets.map(targetText).join(behavior.strategy === 'sequential' ? t.followedBy : ', ');
      return t.rings(names, behavior.no_answer === null ? '' : t.thenTheVoicemail);
    }
    case 'queue':
      return t.waitsQueue;
    case 'voicemail':
      return t.voicemail;
    case 'relay':
      return t.agentAtThen(behavior.url, describe(behavior.fallback));
    case 'menu':
      return t.menuWith(Object.keys(behavior.options).join(', '));
  }
}

/** Names a target of a ring. */
export function targetText(target: string): string {
  return target === 'application' ? t.yourSoftware : formatNumber(target);
}
