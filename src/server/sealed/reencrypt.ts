import type { Db } from '../../db/database.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import { BATCH_ROWS, countSealed, readSealed, type SealedRow, storeSealed } from './queries.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** The values of a column, counted by the secret that they need. */
export type SealedCount = {
  readonly name: string;
  /** Encrypted with the newest secret. */
  readonly current: number;
  /** Encrypted with an older secret that is configured. */
  readonly older: number;
  /** Encrypted with a secret that is not configured. */
  readonly unknown: number;
};

/** Counts the encrypted values of each column. */
export async function countByKey(db: Db, { keyIds }: Pick<Cipher, 'keyIds'>): Promise<SealedCount[]> {
  return await Promise.all(
    SEALED_COLUMNS.map(async (column) => {
      const rows = await countSealed(db, column);
      const sum = (matches: (position: number) => boolean) =>
        rows.reduce((total, { key_id, count }) => total + (matches(keyIds.indexOf(key_id)) ? count : 0), 0);
      const position = { current: sum((at) => at === 0), older: sum((at) => at > 0), unknown: sum((at) => at < 0) };
      return { name: column.name, ...position };
    }),
  );
}

/**
 * Encrypts values again that an older secret encrypted, with the newest secret, batch by batch. Each batch is stored by
 * one statement. So an interrupted run loses nothing, and the next run continues with the remaining values. If the
 * server replaces a value in the meantime, the server's value stays.
 * @returns the number of values that were encrypted again, by column
 */
export async function reencrypt(db: Db, cipher: Cipher): Promise<{ name: string; count: number }[]> {
  const done: { name: string; count: number }[] = [];
  for (const column of SEALED_COLUMNS) {
    let count = 0;
    let after: readonly string[] | undefined;
    for (;;) {
      const rows = await readSealed(db, column, after);
      const changed = rows.flatMap((row) => resealed(cipher, column, row));
      if (changed.length > 0) count += await storeSealed(db, column, changed);
      after = rows.at(-1)?.key;
      if (rows.length < BATCH_ROWS) break;
    }
    done.push({ name: column.name, count });
  }
  return done;
}

/**
 * Returns the row with its value encrypted again. Returns nothing if the newest secret encrypted the value already, or
 * if the value's secret is not configured.
 */
function resealed(cipher: Cipher, column: SealedColumn, { key, sealed }: SealedRow) {
  if (sealed === null) return [];
  const keyId = sealed.subarray(1, 5).toString('hex');
  if (cipher.keyIds.indexOf(keyId) < 1) return [];
  const context = column.contextOf(key);
  return [{ key, before: sealed, after: cipher.encrypt(cipher.decrypt(sealed, context), context) }];
}
