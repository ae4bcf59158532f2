import { readKeys } from '../../server/install/data-folder.ts';
import { readConfig } from '../../server/settings/config.ts';

/** Returns the address that the environment gives, or else the last address of the server of this folder. */
export function findPublicUrl(): string {
  const { publicUrl, isAddressGiven, databaseUrl, dataFolder } = readConfig();
  const installed = databaseUrl === null && !isAddressGiven ? readKeys(dataFolder)?.base_url : undefined;
  return installed ?? publicUrl;
}
