import { type Cipher, createCipher } from '../../lib/crypto/cipher.ts';
import { readSecret } from '../../server/install/data-folder.ts';
import { readConfig, secretsOf } from '../../server/settings/config.ts';
import { CommandError } from '../command.ts';

/** Returns the cipher that encrypts stored secrets in this installation. */
export function cipherOfInstall(): Cipher {
  const config = readConfig();
  const secret = config.secret ?? readSecret(config.dataFolder);
  if (secret === undefined) throw new CommandError('The data folder has no secret; start the installation once.');
  return createCipher(secretsOf(secret));
}
