import type { Found } from '../ports/outcome.ts';
import type { FoundLeg } from '../ports/voice.ts';

/**
 * Returns the legs of a call with their present states.
 * @param legs the legs that reached the carrier
 * @param find returns the present state of a leg; undefined if the carrier does not answer
 */
export async function findEachLeg<Leg>(
  legs: readonly Leg[],
  find: (leg: Leg) => Promise<FoundLeg | undefined>,
): Promise<Found<{ readonly legs: readonly FoundLeg[] }>> {
  if (legs.length === 0) return { found: 'absent' };
  const all = await Promise.all(legs.map(find));
  const found = all.filter((leg) => leg !== undefined);
  return found.length < all.length ? { found: 'undecided' } : { found: 'accepted', legs: found };
}
