import { createMemory } from '../../http/edge/remember.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import type { Product } from '../compose.ts';
import type { Cell } from './cell.ts';

/** The database that has a key. `unknown`: no database that answered has it, and at least one has not answered. */
export type KeyPlace = Cell | 'first' | 'unknown';

/**
 * Whether a database has a key. `away`: it has the key, but the account is in another database. `silent`: it has not
 * answered.
 */
type Found = boolean | 'away' | 'silent';

/** How long to wait for the answer of a database. A silent database may have the key. */
const ANSWER_WITHIN_MS = 2_000;
const HINTS_MAX = 100_000;

/**
 * Finds the cells of keys and browser sessions. It asks every database for a new key. Later it first asks the database
 * that had the key. It caches an answer for three seconds. So a database that does not answer does not delay keys of
 * other databases. If no database has a key, the first database refuses it.
 */
export function createKeyRoutes({ first, cells }: { first: Product; cells: { list(): readonly Cell[] } }) {
  const { form, hash: hashKey } = first.keys;
  const memory = createMemory<KeyPlace>(first.context.clock);
  const hints = new Map<string, Cell | 'first'>();

  const has = async (place: Cell | 'first', hash: Buffer, key: string): Promise<Found> => {
    const product = place === 'first' ? first : place.product;
    if (product === undefined) return 'silent';
    let found: Found = false;
    const look = product.keys.find(hash, key).then((holder) => {
      if (holder !== undefined) found = holder.state === 'active' || holder.state === 'moving' ? true : 'away';
    });
    try {
      return (await endsWithin(look, ANSWER_WITHIN_MS)) ? found : 'silent';
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
      // During a move, neither database has the account for a short moment.
      if (found === 'silent' || found === 'away') isSure = false;
    });
    Promise.all(asked).then(() => resolve(isSure ? 'none' : 'unknown'), reject);
    return promise;
  };

  const find = async (name: string, hash: Buffer, key: string): Promise<KeyPlace> => {
    const hint = hints.get(name);
    const isThere = hint === undefined ? false : await has(hint, hash, key);
    if (hint !== undefined && isThere === true) return hint;
    // The database that does not answer may have the key. The account may also have moved, but this is rare.
    if (isThere === 'silent') return 'unknown';
    const place = await search(hash, key);
    hints.delete(name);
    if (place === 'unknown') return place;
    // Unknown keys are not cached: many wrong keys would displace valid keys.
    if (place === 'none') return 'first';
    hints.set(name, place);
    if (hints.size > HINTS_MAX) hints.delete(hints.keys().next().value as string);
    return place;
  };

  const followed = new WeakSet<Product>();
  /** Forgets all keys when a database reports that they are outdated, because an account has moved. */
  const follow = (product: Product | undefined) => {
    if (product === undefined || followed.has(product)) return;
    followed.add(product);
    product.keys.onEnded((hash) => {
      if (hash.length === 0) memory.forgetAll();
    });
  };

  return {
    /** Returns the database that has the key or the browser session. */
    find: async (key: string): Promise<KeyPlace> => {
      for (const product of [first, ...cells.list().map((cell) => cell.product)]) follow(product);
      if (!form.test(key)) return 'first';
      const hash = hashKey(key);
      const name = hash.toString('base64');
      return await memory.get(name, () => find(name, hash, key));
    },
  };
}
