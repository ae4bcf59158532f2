import { cellPath } from '../../lib/cells.ts';
import { readKeys } from '../../server/install/data-folder.ts';
import { readConfig } from '../../server/settings/config.ts';
import type { Terminal } from '../command.ts';

/**
 * Returns the public address: that of the environment, or else the last address of the server of this folder. With
 * `--cell`, the path of the cell is added.
 */
export function findPublicUrl({ cell }: Pick<Terminal, 'cell'>): string {
  return `${addressOfInstall()}${cell === undefined ? '' : cellPath(cell)}`;
}

function addressOfInstall(): string {
  const { publicUrl, isAddressGiven, databaseUrl, dataFolder } = readConfig();
  const installed = databaseUrl === null && !isAddressGiven ? readKeys(dataFolder)?.base_url : undefined;
  return installed ?? publicUrl;
}
