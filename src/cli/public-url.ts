import { readConfig } from '../server/config.ts';
import { readKeys } from '../server/data-folder.ts';

/** Returns the address that the environment gives, or else the one at which the server of this folder last started. */
export function findPublicUrl(): string {
  const { publicUrl, isAddressGiven, databaseUrl, dataFolder } = readConfig();
  const installed = databaseUrl === null && !isAddressGiven ? readKeys(dataFolder)?.base_url : undefined;
  return installed ?? publicUrl;
}
