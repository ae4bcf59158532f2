/** Which installation uses a database. It reveals a second installation that uses a copy of the same database. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Context } from '../../context.ts';
import { findDatabaseIdentity, recordUse, type Use } from '../../db/installation.ts';
import { PROGRAM } from '../../lib/program.ts';
import type { Config } from '../settings/config.ts';

/**
 * Records this installation as the user of the database.
 * @returns a warning if another installation used the database last
 */
export async function recordInstallation({ db }: Pick<Context, 'db'>, config: Config): Promise<string | undefined> {
  const earlier = await recordUse(db, await identify(db, config));
  if (earlier === undefined) return undefined;
  const at = earlier.at.toISOString();
  return `Warning: this database was last used by another installation: ${earlier.name}, started at ${at}. If it is a copy, both send the same texts and webhooks: start the copy with --paused, and stop the other one before "${PROGRAM} resume".`;
}

/**
 * Identifies the database. For an embedded one, the inode of the data folder differs between the folder and a copy. A
 * database of the operator has three values. The ids of its server and its database change when a dump is restored. The
 * host of PUBLIC_URL changes when a physical copy is used elsewhere. A fail-over to a standby changes none of them.
 */
async function identify(db: Context['db'], { databaseUrl, dataFolder, publicUrl }: Config): Promise<Omit<Use, 'at'>> {
  if (databaseUrl === null) {
    return { id: `folder ${statSync(dataFolder).ino}`, name: `${dataFolder} on ${hostname()}` };
  }
  const host = new URL(publicUrl).hostname;
  return { id: `database ${await findDatabaseIdentity(db)} ${host}`, name: publicUrl };
}
