import type { Database } from '../../db/database.ts';
import { createCipher } from '../../lib/crypto/cipher.ts';
import { PROGRAM } from '../../lib/program.ts';
import { readSecret } from '../../server/install/data-folder.ts';
import { countByKey } from '../../server/sealed/reencrypt.ts';
import { type Config, secretsOf } from '../../server/settings/config.ts';
import { describeNeeded } from '../install/reencrypt.ts';
import type { Finding } from './doctor-checks.ts';

/** Counts the values that were encrypted with an older secret. `checkSecret` reports a missing secret. */
export async function checkSealed(config: Pick<Config, 'secret' | 'dataFolder'>, db: Database): Promise<Finding[]> {
  const check = 'old secrets';
  const secret = config.secret ?? readSecret(config.dataFolder);
  if (secret === undefined) return [];
  const counts = await countByKey(db, createCipher(secretsOf(secret)));
  const older = counts.filter((count) => count.older > 0).map((count) => ({ ...count, unknown: 0 }));
  const unknown = counts.filter((count) => count.unknown > 0).map((count) => ({ ...count, older: 0 }));
  if (unknown.length > 0) {
    const found = `a secret that is missing from DIALPLANE_SECRET is needed for ${describeNeeded(unknown)}`;
    return [{ check, state: 'bad', found, advice: 'Add the secret behind the newest one, with a comma between.' }];
  }
  if (older.length === 0) return [{ check, state: 'good', found: 'not needed' }];
  const advice = `Keep them. When every process has the new secret, run "${PROGRAM} reencrypt".`;
  return [{ check, state: 'note', found: `needed for ${describeNeeded(older)}`, advice }];
}
