/** The checks of `doctor --patroni`: does each machine of a database cluster run a Patroni that fences? */
import { timeoutSignal } from '../../lib/time/time.ts';
import type { Finding } from './doctor-checks.ts';

const ANSWER_MS = 5_000;
/** The limit for a status of Patroni, which is always smaller. */
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * True for Patroni 3.1 or later. These versions write the leader key only if they still hold it. An older Patroni on a
 * machine that was frozen takes the key back when the machine continues. The database there lacks the commits that were
 * acknowledged in between.
 * @param version such as `3.0.2` or `4.0.0rc1`
 */
export function keepsToItsTurn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 3 || (major === 3 && minor >= 1);
}

/** Checks the Patroni at each address of its REST API, such as `http://10.0.0.11:8008`. */
export function checkPatroni(addresses: readonly string[]): Promise<Finding[]> {
  return Promise.all(addresses.map(checkOne));
}

async function checkOne(address: string): Promise<Finding> {
  const check = `Patroni at ${address}`;
  try {
    const version = await readVersion(address);
    if (keepsToItsTurn(version)) return { check, state: 'good', found: version };
    const advice = 'Install 3.1 or later, one machine after the other. docs/high-availability.md names the packages.';
    return { check, state: 'bad', found: `${version} can lose acknowledged texts after a machine hung`, advice };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    const advice = 'Name the addresses of the REST API: the line connect_address below restapi in config.yml.';
    return { check, state: 'bad', found: `no answer (${cause?.code ?? message})`, advice };
  }
}

/** @throws Error if there is no answer, or the answer is not Patroni's */
async function readVersion(address: string): Promise<string> {
  const reply = await fetch(new URL('/patroni', address), { signal: timeoutSignal(ANSWER_MS), redirect: 'manual' });
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of reply.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) throw new Error('the answer does not come from Patroni');
  }
  const version = /"patroni":\s*\{[^}]*"version":\s*"([^"]+)"/.exec(text)?.[1];
  if (version === undefined) throw new Error('the answer does not come from Patroni');
  return version;
}
