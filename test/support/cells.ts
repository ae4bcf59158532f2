/** Cells within the process of a test. They consist of the parts that `server/serve.ts` connects. */
import type { AddressInfo } from 'node:net';
import { cellContext, markCell, openCellRow, storeCell } from '../../src/db/cells.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createCipher } from '../../src/lib/crypto/cipher.ts';
import { type CellSet, createCellSet } from '../../src/server/cells/cell-set.ts';
import { attachFront } from '../../src/server/cells/front.ts';
import { logInByPlace } from '../../src/server/cells/log-in-elsewhere.ts';
import { openCell } from '../../src/server/cells/open-cell.ts';
import { sharersByPlace } from '../../src/server/cells/sharers-by-place.ts';
import { type ComposeOptions, compose, type Product } from '../../src/server/compose.ts';
import { checkSecret } from '../../src/server/install/check-secret.ts';
import { silentLog } from './jobs.ts';

export type NewCell = { readonly number: number; readonly name: string; readonly url: string };

/** Makes a database a cell, as "cells add" does. `db` is the database of the installation. */
export async function addCell(db: Database, secret: string, { number, name, url }: NewCell): Promise<void> {
  const cipher = createCipher(secret);
  await db.transaction((tx) => storeCell(tx, { number, name, url: cipher.encrypt(url, cellContext(number)) }));
  const cellDb = openDatabase({ url, connectionsMax: 1, log: silentLog });
  try {
    await checkSecret({ db: cellDb, cipher });
    const refused = await markCell(cellDb, { number, name });
    if (refused !== undefined) throw new Error(refused);
  } finally {
    await cellDb.close();
  }
  await openCellRow(db, number);
}

export type CellProcess = {
  readonly first: Product;
  readonly cells: CellSet;
  readonly url: string;
  close(): Promise<void>;
};

type ProcessOptions = {
  readonly options: ComposeOptions;
  readonly port?: number;
  /** Starts the product of a cell. `url` is the base address of its audio sockets. */
  readonly startCell: (product: Product, url: string) => Promise<void>;
  /** Starts the product of the first database; by default with workers. */
  readonly startFirst?: (product: Product, sockets: Parameters<Product['start']>[0]['server']) => Promise<void>;
};

/** Starts a process with all cells of the installation. */
export async function startCellProcess({
  options,
  port = 0,
  startCell,
  startFirst,
}: ProcessOptions): Promise<CellProcess> {
  const places: { first: Product | undefined; cells: CellSet | undefined } = { first: undefined, cells: undefined };
  const productOptions = { ...options, logInElsewhere: logInByPlace(places), sharersOf: sharersByPlace(places) };
  const first = await compose(productOptions);
  const { db, cipher, log, metrics } = first.context;
  let url = '';
  const start = (product: Product, path: string) => startCell(product, `${url.replace('http', 'ws')}${path}`);
  const cells = createCellSet({
    db,
    cipher,
    log,
    metrics,
    keys: first.keys,
    open: (cell) => openCell(cell, { options: productOptions, metrics, start }),
  });
  Object.assign(places, { first, cells });
  const sockets = attachFront({ first, cells });
  await cells.read();
  await first.app.listen({ host: '127.0.0.1', port });
  url = `http://127.0.0.1:${(first.app.server.address() as AddressInfo).port}`;
  await cells.start();
  if (startFirst === undefined) await first.start({ server: sockets, work: true });
  else await startFirst(first, sockets);
  return { first, cells, url, close: async () => void (await Promise.all([cells.close(), first.close()])) };
}
