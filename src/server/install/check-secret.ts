import type { Context } from '../../context.ts';
import { findOrStoreSealed, findSealed } from '../../db/installation.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { openSealed, sealText } from './sealed-text.ts';

/**
 * Checks that this process can decrypt data of the database. On a new database it stores the text for this check.
 * @throws StartError if DIALPLANE_SECRET is not the secret of this database
 */
export async function checkSecret({ db, cipher }: Pick<Context, 'db' | 'cipher'>): Promise<void> {
  requireOpens(cipher, await findOrStoreSealed(db, sealText(cipher)));
}

/** Makes the same check as `checkSecret`, on a database that may have no tables yet. It stores nothing. */
export async function checkSealed({ db, cipher }: Pick<Context, 'db' | 'cipher'>): Promise<void> {
  const sealed = await findSealed(db);
  if (sealed !== undefined) requireOpens(cipher, sealed);
}

function requireOpens(cipher: Cipher, sealed: Buffer): void {
  try {
    openSealed(cipher, sealed);
  } catch (error) {
    throw new StartError(
      'DIALPLANE_SECRET does not open what is encrypted in this database.',
      'Give every process the secret that the database was first used with; older ones follow a new one after a comma.',
      error,
    );
  }
}
