/**
 * Stores the notices of a connection that several databases have. Each notice is stored in the database with its
 * object. A database may not know the object yet when the notice arrives. So lanes pass on a notice if its object turns
 * out to be in another database.
 */
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import type { Notice } from '../adapter.ts';
import { hasLedger, storeNotices } from './queries.ts';
import type { Sharer } from './sharers.ts';

/**
 * Stores notices. If no database has the object of a notice, the notice goes to the first of `places`. A database that
 * does not answer delays only notices that no other database claims.
 * @returns how many were new
 */
export async function storeAtOwners(
  places: readonly [Sharer, ...Sharer[]],
  notices: readonly Notice[],
): Promise<number> {
  const [first, ...others] = places;
  if (others.length === 0) return await storeNotices(first.db, first.connection.id, notices);
  const owners = await Promise.all(notices.map((notice) => findOwner(places, notice)));
  let stored = 0;
  for (const place of places) {
    const own = notices.filter((_, index) => (owners[index] ?? first) === place);
    if (own.length > 0) stored += await storeNotices(place.db, place.connection.id, own);
  }
  return stored;
}

/** The limit for the claims, because the carrier waits only a few seconds for its reply. */
const CLAIMS_WITHIN_MS = 2_000;

/** Returns the database that has the object of the notice; undefined if none is known. */
async function findOwner(places: readonly Sharer[], notice: Notice): Promise<Sharer | undefined> {
  let owner: Sharer | undefined;
  const asked = Promise.any(places.map((place) => claim(place, notice))).then(
    (found) => {
      owner = found;
    },
    // The lanes of the first place find the owner.
    () => undefined,
  );
  await endsWithin(asked, CLAIMS_WITHIN_MS);
  return owner;
}

/** Resolves if the database has the object of the notice. Rejects otherwise. */
async function claim(place: Sharer, notice: Notice): Promise<Sharer> {
  const owner = await place.connection.connected.ingress?.ownerOf?.(place.db, notice);
  if (owner !== undefined && (await hasLedger(place.db, owner.ledgerId))) return place;
  throw new Error('the object of the notice is not in this database');
}
