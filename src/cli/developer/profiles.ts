/** The named servers and keys of a user, in a file in the user's folder. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfPresent, writePrivately } from '../../lib/private-files.ts';
import { PROGRAM } from '../../lib/program.ts';
import { CommandError } from '../command.ts';

/** A server's address, without a trailing slash, and a key for it. */
export type Profile = { readonly url: string; readonly key: string };

export type Profiles = {
  /** The name of the profile that commands use by default; null if none was chosen. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
};

/** Means "no profile" when the user chooses a profile, so no profile can have this name. */
export const NO_PROFILE = 'none';

const fileOf = (userFolder: string) => join(userFolder, 'profiles.json');

/** Reads the profiles of a user. Throws CommandError if their file is damaged. */
export function readProfiles(userFolder: string): Profiles {
  const file = fileOf(userFolder);
  const text = readIfPresent(file);
  if (text === undefined) return { current: null, profiles: {} };
  const stored = parse(text);
  if (!isProfiles(stored)) {
    throw new CommandError(`${file} is damaged. Delete it, then add the profiles again: "${PROGRAM} profiles add".`);
  }
  return stored;
}

/** Replaces the profiles of a user. Only that user can read the file. */
export function writeProfiles(userFolder: string, profiles: Profiles): void {
  const file = fileOf(userFolder);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivately(file, `${JSON.stringify(profiles, null, 2)}\n`);
}

/** Returns the profile with the name. Throws CommandError if there is none. */
export function requireProfile({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  throw new CommandError(`There is no profile ${name}; "${PROGRAM} profiles list" lists them.`);
}

/** Returns a key without its secret part. */
export function maskKey(key: string): string {
  return `${/^svc_(test|live)_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isProfiles(value: unknown): value is Profiles {
  const { current, profiles } = (value ?? {}) as Partial<Profiles>;
  if (current !== null && typeof current !== 'string') return false;
  if (typeof profiles !== 'object' || profiles === null) return false;
  return Object.values(profiles).every(
    (profile) => typeof profile?.url === 'string' && typeof profile.key === 'string',
  );
}

/** Returns the names for completion. Returns none if the file is damaged; other commands report the damage. */
export function profileNames(userFolder: string): { word: string }[] {
  try {
    return Object.keys(readProfiles(userFolder).profiles).map((word) => ({ word }));
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}
