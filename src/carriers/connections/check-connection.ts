/** Opens a connection separately from the running ones, to query its carrier or to set it up. */
import { pino } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { PROGRAM } from '../../lib/program.ts';
import { createSynthesizer } from '../../speech/speech-synthesis.ts';
import type { AdapterKind, AdapterParts, ConnectedCarrier, ConnectionFinding } from '../adapter.ts';
import { openCredentials } from './credentials.ts';
import type { ConnectionRow } from './queries.ts';

/**
 * The parts that open a connection: the kinds of carriers that this program knows, and the cipher of its credentials.
 */
export type ConnectionParts = {
  readonly kinds: readonly AdapterKind[];
  readonly db: Database;
  readonly cipher: () => Cipher;
};

export type NamedFinding = ConnectionFinding & { readonly connection: string };

/**
 * Returns the findings of the connection's own check, with the connection's name. A connection that cannot be opened is
 * `bad`.
 */
export async function checkConnection(parts: ConnectionParts, row: ConnectionRow): Promise<readonly NamedFinding[]> {
  const named = (finding: ConnectionFinding) => ({ connection: row.name, ...finding });
  try {
    const findings = await withCarrier(parts, row, (connected) => connected.check());
    return findings.map(named);
  } catch (error) {
    const found = reasonOf(error);
    return [named({ check: 'connection', state: 'bad', found, advice: `See "${PROGRAM} carriers list".` })];
  }
}

/** Opens the connection, passes it to `work` and closes it. */
export async function withCarrier<T>(
  { kinds, db, cipher }: ConnectionParts,
  row: ConnectionRow,
  work: (connected: ConnectedCarrier) => Promise<T>,
): Promise<T> {
  const { id, name, settings } = row;
  const credentials = openCredentials(cipher(), row);
  const connected = kindOf(kinds, row.kind).make(partsOf(db)).connect({ id, name, settings, credentials });
  try {
    return await work(connected);
  } finally {
    await connected.close?.();
  }
}

/** Returns the kind of carrier by its name. Throws Error if this program has no adapter for it. */
export function kindOf(kinds: readonly AdapterKind[], name: string): AdapterKind {
  const found = kinds.find(({ description }) => description.kind === name);
  if (found !== undefined) return found;
  const known = kinds.map(({ description }) => description.kind).join(', ');
  const hint = known === '' ? 'This version knows no kind of carrier yet.' : `The kinds are ${known}.`;
  throw new Error(`There is no adapter for carriers of the kind "${name}". ${hint}`);
}

/** A check gets no reports from carriers. So the parts for its adapters pass on no events and raise no alarms. */
function partsOf(db: Database): AdapterParts {
  const log = pino({ level: 'silent' });
  const refuse = () => Promise.reject(new Error('A check takes no events of carriers.'));
  const synthesizer = createSynthesizer({ log });
  const alarms = { raise: () => undefined };
  const takers = { sink: refuse, takeEvents: refuse, readHoldAudio: refuse };
  return { db, log, metrics: createMetrics(), alarms, synthesizer, ...takers };
}
