import type { Context } from '../../context.ts';
import { findOrStoreSealed } from '../../db/installation.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { openSealed, sealText } from './sealed-text.ts';

/**
 * Checks that this process can decrypt data of the database; stores the text that shows it, if there is none yet.
 * @throws StartError if DIALPLANE_SECRET is not the secret of this database
 */
export async function checkSecret({ db, cipher }: Pick<Context, 'db' | 'cipher'>): Promise<void> {
  const sealed = await findOrStoreSealed(db, sealText(cipher));
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
