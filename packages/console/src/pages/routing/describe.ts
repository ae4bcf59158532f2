import { formatNumber } from '../../lib/numbers.ts';
import type { Behavior } from './draft.ts';

/** Says a behavior in a few words, for lists. */
export function describe(behavior: Behavior): string {
  switch (behavior.type) {
    case 'ring': {
      const names = behavior.targets.map(targetText).join(behavior.strategy === 'sequential' ? ', then ' : ', ');
      return `Rings ${names}${behavior.no_answer === null ? '' : '; then the voicemail'}`;
    }
    case 'queue':
      return 'Waits in a queue';
    case 'voicemail':
      return 'Voicemail';
    case 'relay':
      return `Agent at ${behavior.url}; then ${describe(behavior.fallback)}`;
    case 'menu':
      return `Menu with ${Object.keys(behavior.options).join(', ')}`;
  }
}

/** Names a target of a ring. */
export function targetText(target: string): string {
  return target === 'application' ? 'your software' : formatNumber(target);
}
