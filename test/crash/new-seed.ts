import { randomInt } from 'node:crypto';

/** Draws the seed of a run of full size. Prints it first, so that a run that fails can be repeated. */
export function newSeed(): number {
  const seed = randomInt(1_000_000);
  console.log(`seed ${seed}`);
  return seed;
}
