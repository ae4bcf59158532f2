import type { Context } from '../../../context.ts';
import type { Bus } from '../../../db/bus.ts';
import type { Tx } from '../../../db/database.ts';
import type { KeyDirectory } from '../../../http/edge/authenticate.ts';
import { findAway, findLedgerState } from '../accounts/queries.ts';
import { findSessionHolder } from '../browser-sessions/queries.ts';
import { TOKEN_FORM } from '../browser-sessions/rules.ts';
import { type EndedKey, findEndedKeys } from './ledger-queries.ts';
import { findKeyHolder } from './queries.ts';
import { hashKey, KEY_FORM } from './rules.ts';

const FORM = new RegExp(`${KEY_FORM.source}|${TOKEN_FORM.source}`);

const TOPIC = 'api_keys.ended';
const CHANNEL = 'api_keys';

/** Makes every node drop its cached copies of keys or console sessions that end, once the transaction has committed. */
export function forgetKeys(tx: Tx, keys: readonly EndedKey[]): void {
  forgetCredentials(
    tx,
    keys.map(({ key_hash }) => key_hash),
  );
}

/** Makes every node drop its cached copy of the credentials with these hashes, once the transaction has committed. */
export function forgetCredentials(tx: Tx, hashes: readonly Buffer[]): void {
  for (const hash of hashes) tx.signal({ topic: TOPIC, payload: hash.toString('base64') });
}

/** Makes every process of a database read keys and the states of their ledgers again. */
export function forgetAllKeys(bus: Pick<Bus, 'publish'>): void {
  bus.publish(CHANNEL, '');
}

/** Reports ended keys and browser sessions to the connections that were opened with them. */
export type KeyWatch = {
  /** Returns the ids of the keys and browser sessions that are not in force. */
  findEnded(keys: readonly { ledgerId: number; keyId: string }[]): Promise<ReadonlySet<string>>;
  /** Returns which of the ledgers are not in use in this database, so that their clients must connect again. */
  findAway(ledgerIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Registers a listener that is called when keys end, here or on another node; best effort. */
  onEnded(listener: () => void): void;
};

/** Creates the edge's directory of keys. */
export function createKeyDirectory({ db, bus }: Pick<Context, 'db' | 'bus'>): KeyDirectory & KeyWatch {
  db.onSignal(({ topic, payload }) => {
    if (topic === TOPIC) bus.publish(CHANNEL, payload as string);
  });
  return {
    form: FORM,
    hash: hashKey,
    find: (hash, credential) => (TOKEN_FORM.test(credential) ? findSessionHolder(db, hash) : findKeyHolder(db, hash)),
    findState: (ledgerId) => findLedgerState(db, ledgerId),
    findAway: (ledgerIds) => findAway(db, ledgerIds),
    findEnded: (keys) => findEndedKeys(db, keys),
    onEnded: (listener) => bus.subscribe(CHANNEL, (payload) => listener(Buffer.from(payload, 'base64'))),
  };
}
