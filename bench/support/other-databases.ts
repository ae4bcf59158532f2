/** More databases of an installation, on the server of the first one. They also have a connection of the first one. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { AdapterKind } from '../../src/carriers/adapter.ts';
import { findConnectionById, insertConnection } from '../../src/carriers/connections/queries.ts';
import type { Db } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Cell } from '../../src/server/cells/cell.ts';
import { compose } from '../../src/server/compose.ts';
import { TEST_SETTINGS } from '../../test/support/harness.ts';

type First = { readonly url: string; readonly db: Db; readonly secret: string };
type Shared = { readonly connectionId: string; readonly kind: AdapterKind };

/** Makes a database on the server of the first one. Its product has the connection and runs no workers. */
export async function openOther(number: number, first: First, { connectionId, kind }: Shared): Promise<Cell> {
  const name = `bench_${number}`;
  const client = new pg.Client(first.url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(first.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const product = await compose({
    databaseUrl: url.href,
    connectionsMax: 24,
    secret: first.secret,
    log: pino({ level: 'error' }),
    blobs: { kind: 'folder', folder: join(tmpdir(), 'dialplane-bench-blobs') },
    settings: TEST_SETTINGS,
    adapterKinds: [kind],
  });
  const row = await findConnectionById(first.db, connectionId);
  if (row === undefined) throw new Error('the first database does not have the connection');
  await product.context.db.transaction((tx) => insertConnection(tx, row));
  await product.connections.refresh();
  return { number, name, product };
}
