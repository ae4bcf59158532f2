import { withoutSlash } from '../../lib/http/without-slash.ts';
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one variable at a time. For a bad value, adds to `problems` and returns the fallback. */
export class EnvironmentReader {
  readonly #env: Environment;
  readonly #problems: string[];

  constructor(env: Environment, problems: string[]) {
    this.#env = env;
    this.#problems = problems;
  }

  /** Treats an empty variable as absent, because the settings of containers often contain empty variables. */
  text(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** @param bounds `or` is a word that the caller accepts instead of a number. The message names it. */
  integer(name: string, bounds: { fallback: number; min: number; max: number; or?: string }): number {
    const { fallback, min, max, or } = bounds;
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.#problems.push(
      `${name} is "${text}"; give a whole number from ${min} to ${max}${or === undefined ? '' : `, or ${or}`}`,
    );
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return fallback;
    if (['1', 'true', 'on', 'yes'].includes(text)) return true;
    if (['0', 'false', 'off', 'no'].includes(text)) return false;
    this.#problems.push(`${name} is "${text}"; give on or off`);
    return fallback;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return fallback;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) this.#problems.push(`${name} is "${text}"; give one of ${choices.join(', ')}`);
    return chosen ?? fallback;
  }

  /**
   * Returns the address without a trailing slash. A problem never quotes the address, because it may contain a
   * password.
   */
  url(name: string, protocols: readonly string[]): string | null {
    const text = this.text(name);
    if (text === undefined) return null;
    const protocol = protocols.find((candidate) => text.toLowerCase().startsWith(`${candidate}//`));
    const address = parseAddress(text);
    if (protocol === undefined || (address === undefined && !text.includes('@'))) {
      this.#problems.push(
        `${name} is not an address that begins with ${protocols.map((allowed) => `${allowed}//`).join(' or ')}`,
      );
    } else if (address === undefined || hasBareCharacters(address)) {
      this.#problems.push(
        `${name} cannot be read: in user and password write each of : / ? # [ ] @ % as % and its two digits (# is %23, / is %2F, @ is %40, % is %25)`,
      );
    } else return withoutSlash(text);
    return null;
  }
}

/** A database address may name a socket folder instead of a host (`postgres://user@/name?host=/run/postgresql`). */
function parseAddress(text: string): URL | undefined {
  return URL.parse(text) ?? URL.parse(text.replace(/^(\w+:\/\/[^/]*@?)\//, '$1localhost/')) ?? undefined;
}

/**
 * Returns true if the password has characters that must be encoded. They cut the address short (`u:12#3@host` has the
 * host u), or the password cannot be decoded.
 */
function hasBareCharacters({ hash, pathname, search, username, password }: URL): boolean {
  if (hash !== '' || (username === '' && (pathname.includes('@') || /^\?[^=&]*@/.test(search)))) return true;
  try {
    decodeURIComponent(`${username}${password}`);
    return false;
  } catch (error) {
    if (error instanceof URIError) return true;
    throw error;
  }
}
