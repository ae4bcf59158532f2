import { readClientEnvironment } from '../../server/settings/client-environment.ts';
import type { CommandGroup } from '../catalog.ts';
import { profileNames } from '../developer/profiles.ts';
import { candidatesFor } from './candidates.ts';

/** Returns a line for each candidate: the word, and its meaning after a tab. */
export async function answer(typed: readonly string[], groups: readonly CommandGroup[]): Promise<string[]> {
  const found = await candidatesFor(typed, groups, () => profileNames(readClientEnvironment().userFolder));
  return found.map(({ word, meaning = '' }) => (meaning === '' ? word : `${word}\t${meaning}`));
}
