/** Which installation uses a database, so that the operator learns of a copy that another installation may run too. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Context } from '../../context.ts';
import { findDatabaseIdentity, recordUse, type Use } from '../../db/installation.ts';
import { PROGRAM } from '../../lib/program.ts';
import type { Config } from '../settings/config.ts';

/**
 * Records this installation as the user of the database.
 * @returns a warning if another installation used it last
 */
export async function recordInstallation({ db }: Pick<Context, 'db'>, config: Config): Promise<string | undefined> {
  const earlier = await recordUse(db, await identify(db, config));
  if (earlier === undefined) return undefined;
  const at = earlier.at.toISOString();
  return `Warning: this database was last used by another installation: ${earlier.name}, started at ${at}. If it is a copy, both send the same texts and webhooks: start the copy with --paused, and stop the other one before "${PROGRAM} resume".`;
}

/**
 * A data folder is told from its copy by its inode. A database of one's own is told by its server and database, which
 * change when a dump is restored, and by the host of PUBLIC_URL, which changes when a physical copy is put to use
 * elsewhere. A fail-over to a standby changes neither.
 */
async function identify(db: Context['db'], { databaseUrl, dataFolder, publicUrl }: Config): Promise<Omit<Use, 'at'>> {
  if (databaseUrl === null) {
    return { id: `folder ${statSync(dataFolder).ino}`, name: `${dataFolder} on ${hostname()}` };
  }
  const host = new URL(publicUrl).hostname;
  return { id: `database ${await findDatabaseIdentity(db)} ${host}`, name: publicUrl };
}
