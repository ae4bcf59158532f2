import type { Clock } from '../../lib/time/clock.ts';

/**
 * How long a node uses a remembered value. It is below 5 s, because a revocation takes effect on every node within 5 s.
 */
const TRUST_MS = 3_000;
const NAMES_MAX = 20_000;

export type Memory<Value> = {
  /** Returns the remembered value for the name. If there is none, returns the value that `find` finds. */
  get(name: string, find: () => Promise<Value>): Promise<Value>;
  forget(name: string): void;
  forgetAll(): void;
};

/** Remembers the results of lookups by name for 3 s. Forgets the oldest, so memory is bounded. */
export function createMemory<Value>(clock: Clock): Memory<Value> {
  const known = new Map<string, { readonly value: Value; readonly untilMs: number }>();
  const lookups = new Map<string, Promise<Value>>();

  function look(name: string, find: () => Promise<Value>): Promise<Value> {
    const askedMs = clock.now();
    const lookup = find()
      .then((value) => {
        // The name was forgotten during the lookup, so the result may be outdated.
        if (lookups.get(name) !== lookup) return value;
        known.delete(name);
        known.set(name, { value, untilMs: askedMs + TRUST_MS });
        if (known.size > NAMES_MAX) known.delete(known.keys().next().value as string);
        return value;
      })
      .finally(() => {
        if (lookups.get(name) === lookup) lookups.delete(name);
      });
    lookups.set(name, lookup);
    return lookup;
  }

  return {
    get: async (name, find) => {
      const remembered = known.get(name);
      if (remembered !== undefined && remembered.untilMs > clock.now()) return remembered.value;
      // Requests that arrive during a lookup share it.
      return await (lookups.get(name) ?? look(name, find));
    },
    forget: (name) => {
      known.delete(name);
      lookups.delete(name);
    },
    forgetAll: () => {
      known.clear();
      lookups.clear();
    },
  };
}
