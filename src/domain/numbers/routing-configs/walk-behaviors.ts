import type { CallBehavior } from './behavior-schema.ts';
import { APPLICATION } from './rules.ts';
import type { RoutingConfig } from './schema.ts';

/** A behavior, and its path: names and positions from the config to the behavior. */
export type Placed = { readonly behavior: CallBehavior; readonly path: readonly string[] };

/**
 * Yields all behaviors of a config, including behaviors within menus and behind relays. Each comes before its nested
 * behaviors.
 */
export function* walkBehaviors(config: Pick<RoutingConfig, 'open_behavior' | 'closed_behavior'>): Generator<Placed> {
  for (const field of ['open_behavior', 'closed_behavior'] as const) yield* walkBehavior(config[field], [field]);
}

/** Yields a behavior and its nested behaviors. */
export function* walkBehavior(behavior: CallBehavior, path: readonly string[]): Generator<Placed> {
  yield { behavior, path };
  if (behavior.type === 'relay') yield* walkBehavior(behavior.fallback, [...path, 'fallback']);
  if (behavior.type !== 'menu') return;
  for (const [key, option] of Object.entries(behavior.options)) yield* walkBehavior(option, [...path, 'options', key]);
  yield* walkBehavior(behavior.otherwise, [...path, 'otherwise']);
}

/** Returns the targets that a behavior and its nested behaviors may ring, each once, without the application. */
export function targetsOfBehavior(start: CallBehavior): string[] {
  const targets = [...walkBehavior(start, [])].flatMap(({ behavior }) =>
    behavior.type === 'ring' ? behavior.targets : [],
  );
  return [...new Set(targets)].filter((target) => target !== APPLICATION);
}

/** Returns the ids of the queues that behaviors lead to, each once. */
export function queuesOf(behaviors: Iterable<Placed>): string[] {
  const ids = [...behaviors].flatMap(({ behavior }) => (behavior.type === 'queue' ? [behavior.queue_id] : []));
  return [...new Set(ids)];
}

/** The behavior that a caller's keys lead to. `path` has the keys that chose an option. */
type Followed = { readonly behavior: CallBehavior; readonly path: string };

/**
 * Follows keys through menus. After a key that is no option, the caller stays in the menu. Keys after a behavior that
 * is no menu change nothing.
 */
export function followDigits(start: CallBehavior, digits: string): Followed {
  let behavior = start;
  let path = '';
  for (const digit of digits) {
    const chosen = behavior.type === 'menu' ? behavior.options[digit] : undefined;
    if (chosen === undefined) continue;
    behavior = chosen;
    path += digit;
  }
  return { behavior, path };
}
