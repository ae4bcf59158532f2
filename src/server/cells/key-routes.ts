import { createMemory } from '../../http/edge/remember.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import type { Product } from '../compose.ts';
import type { Cell } from './cell.ts';

/** The database that has a key. `unknown`: none has it, and at least one has not answered. */
export type KeyPlace = Cell | 'first' | 'unknown';

/** A database that has not answered within this time may have the key. */
const ANSWER_WITHIN_MS = 2_000;
const HINTS_MAX = 100_000;

/**
 * Finds the cells of keys and browser sessions. Every database is asked for a key that is new to this process, the one
 * that had it is asked first from then on, and an answer is used for three seconds. So a database that does not answer
 * delays no key of another. A key that no database has belongs to the first one, which refuses it.
 */
export function createKeyRoutes({ first, cells }: { first: Product; cells: { list(): readonly Cell[] } }) {
  const { form, hash: hashKey } = first.keys;
  const memory = createMemory<KeyPlace>(first.context.clock);
  const hints = new Map<string, Cell | 'first'>();

  const has = async (place: Cell | 'first', hash: Buffer, key: string): Promise<boolean | 'silent'> => {
    const product = place === 'first' ? first : place.product;
    if (product === undefined) return 'silent';
    let isFound = false;
    const look = product.keys.find(hash, key).then((holder) => {
      isFound = holder !== undefined;
    });
    try {
      return (await endsWithin(look, ANSWER_WITHIN_MS)) ? isFound : 'silent';
    } catch (error) {
      product.context.log.debug({ err: error }, 'the database did not answer for a key');
      return 'silent';
    }
  };

  const search = (hash: Buffer, key: string): Promise<KeyPlace | 'none'> => {
    const { promise, resolve, reject } = Promise.withResolvers<KeyPlace | 'none'>();
    let isSure = true;
    const asked = (['first', ...cells.list()] as const).map(async (place) => {
      const found = await has(place, hash, key);
      if (found === true) resolve(place);
      if (found === 'silent') isSure = false;
    });
    Promise.all(asked).then(() => resolve(isSure ? 'none' : 'unknown'), reject);
    return promise;
  };

  const find = async (name: string, hash: Buffer, key: string): Promise<KeyPlace> => {
    const hint = hints.get(name);
    const isThere = hint === undefined ? false : await has(hint, hash, key);
    if (hint !== undefined && isThere === true) return hint;
    // A key never moves, so no other database is asked.
    if (isThere === 'silent') return 'unknown';
    const place = await search(hash, key);
    hints.delete(name);
    if (place === 'unknown') return place;
    // Not remembered longer: many wrong keys would make it forget where right ones are.
    if (place === 'none') return 'first';
    hints.set(name, place);
    if (hints.size > HINTS_MAX) hints.delete(hints.keys().next().value as string);
    return place;
  };

  return {
    /** Returns the database that has the key or the browser session. */
    find: async (key: string): Promise<KeyPlace> => {
      if (!form.test(key)) return 'first';
      const hash = hashKey(key);
      const name = hash.toString('base64');
      return await memory.get(name, () => find(name, hash, key));
    },
  };
}
