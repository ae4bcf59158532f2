import { readConfig } from '../server/config.ts';
import { readKeys } from '../server/data-folder.ts';

/** Returns the address that the environment gives, or else the last address of the server of this folder. */
export function findPublicUrl(): string {
  const { publicUrl, isAddressGiven, databaseUrl, dataFolder } = readConfig();
  const installed = databaseUrl === null && !isAddressGiven ? readKeys(dataFolder)?.base_url : undefined;
  return installed ?? publicUrl;
}
