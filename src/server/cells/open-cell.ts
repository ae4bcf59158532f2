import { type CellMark, readCellMark } from '../../db/cells.ts';
import { openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { cellAudioPath, cellPath } from '../../lib/cells.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { type ComposeOptions, compose, type Product } from '../compose.ts';

type OpenCellOptions = {
  /** The options of the product on the first database. */
  readonly options: ComposeOptions;
  /** The metrics of the process. The cell's metrics are added to them. */
  readonly metrics: Pick<Metrics, 'join'>;
  /** Checks and starts the product. `audioPath` is the prefix of its audio paths. */
  readonly start: (product: Product, audioPath: string) => Promise<void>;
};

/** How long to wait for another process that migrates the cell. After that the cell is tried again later. */
const MIGRATION_WAITED_FOR_MS = 30_000;

/**
 * Migrates the database of a cell if it has the cell's mark, and makes and starts the product on it. The product has
 * the settings of the process. The addresses that it publishes begin with the path of the cell.
 * @throws Error if the database cannot be opened, or does not belong to the cell
 */
export async function openCell(
  cell: CellMark & { readonly url: string },
  { options, metrics, start }: OpenCellOptions,
): Promise<Product> {
  const { name, url } = cell;
  await requireMark(cell, options);
  await migrate(url, { lockWithinMs: MIGRATION_WAITED_FOR_MS });
  const audioPath = cellAudioPath(name);
  const { settings } = options;
  const product = await compose({
    ...options,
    ...{
      databaseUrl: url,
      cell: name,
      log: options.log.child({ cell: name }),
      metricsToken: null,
    },
    settings: { ...settings, publicUrl: settings.publicUrl + cellPath(name), mediaUrl: settings.mediaUrl + audioPath },
  });
  try {
    await product.app.ready();
    await start(product, audioPath);
  } catch (error) {
    await product.close();
    throw error;
  }
  return joinMetrics(product, { name, metrics });
}

/**
 * Throws an error if the address leads to a database of another cell or installation. Processes of another installation
 * may not know these migrations.
 */
async function requireMark(
  { number, name, url }: CellMark & { readonly url: string },
  { log }: Pick<ComposeOptions, 'log'>,
): Promise<void> {
  const db = openDatabase({ url, connectionsMax: 1, log });
  try {
    const mark = await readCellMark(db);
    if (mark?.number === number && mark.name === name) return;
    throw new Error(`the address of cell ${name} leads to ${mark === undefined ? 'no cell' : `cell ${mark.name}`}`);
  } finally {
    await db.close();
  }
}

/**
 * Adds a label to the metrics of a cell's product, and adds these metrics to those of the process until the product
 * closes.
 */
function joinMetrics(product: Product, { name, metrics }: { name: string; metrics: Pick<Metrics, 'join'> }): Product {
  product.context.metrics.label({ cell: name });
  const leave = metrics.join(() => product.context.metrics.scrape());
  return {
    ...product,
    close: async () => {
      leave();
      await product.close();
    },
  };
}
