/**
 * The cells of this process. The rows are read at the start and every five seconds, so a new cell is served without a
 * restart. Cells are opened concurrently. If the database of a cell does not answer, it does not delay other cells, and
 * the next read tries it again. An open cell stays open, and waits for its database as every product does.
 */
import type { Context } from '../../context.ts';
import { type CellRow, listCells, openCellUrl } from '../../db/cells.ts';
import { coalesce } from '../../lib/concurrency/coalesce.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { every, type Timer } from '../../lib/time/time.ts';
import type { Product } from '../compose.ts';
import type { Cell } from './cell.ts';
import { createLedgerPlaces } from './ledger-places.ts';

export type CellSet = {
  /** Reads the list of cells. Opens none. */
  read(): Promise<void>;
  /** Opens all cells, and waits at most 10 s for them. Then it reads the rows every five seconds. */
  start(): Promise<void>;
  list(): readonly Cell[];
  /** Returns the number of the cell that had the ledger at the last read; 0 for the first database. */
  numberOf(ledgerId: number): number;
  /** Like the functions of `Product`, but for every open cell. */
  leave(lameDuckMs: number): Promise<void>;
  drain(drainMs: number): Promise<void>;
  close(): Promise<void>;
};

type CellSetOptions = Pick<Context, 'db' | 'cipher' | 'log' | 'metrics'> & {
  /** The keys of the first database. */
  readonly keys: Pick<Product['keys'], 'onEnded'>;
  /** Opens a cell and starts its product. */
  readonly open: (cell: { number: number; name: string; url: string }) => Promise<Product>;
};

const READ_EVERY_MS = 5_000;
const OPEN_WITHIN_MS = 10_000;
const OPENINGS_END_WITHIN_MS = 2_000;

type State = { number: number; name: string; product: Product | undefined; opening: Promise<void> | undefined };

export function createCellSet({ db, cipher, log, metrics, keys, open }: CellSetOptions): CellSet {
  const cells = new Map<number, State>();
  let rows: readonly CellRow[] = [];
  const places = createLedgerPlaces({ db, keys, log, cells: () => cells.values() });
  let timer: Timer | undefined;
  let isClosed = false;

  sampleOpen(metrics, () => cells.values());

  const read = coalesce(async () => {
    rows = (await listCells(db)).filter(({ state }) => state === 'open');
    for (const { number, name } of rows) {
      if (!cells.has(number)) cells.set(number, { number, name, product: undefined, opening: undefined });
    }
    if (cells.size > 0) await places.read();
  });

  const openOne = async (state: State, row: CellRow) => {
    const { number, name } = row;
    try {
      const product = await open({ number, name, url: openCellUrl(cipher, row) });
      if (isClosed) return await product.close();
      state.product = product;
      log.info({ cell: name }, 'cell opened');
    } catch (error) {
      log.error({ err: error, cell: name }, 'the cell cannot be opened; trying again');
    }
  };

  /** Opens the cells that are not open. Resolves when each has been tried. */
  const openAll = async () => {
    const openings = rows.flatMap((row) => {
      const state = cells.get(row.number);
      if (isClosed || state === undefined || state.product !== undefined) return [];
      state.opening ??= openOne(state, row).finally(() => {
        state.opening = undefined;
      });
      return [state.opening];
    });
    await Promise.all(openings);
  };

  const products = () => [...cells.values()].flatMap(({ product }) => (product === undefined ? [] : [product]));

  /** Runs a step of the stop in every open cell. If the step fails in one cell, it still runs in the others. */
  const endEach = async (step: (product: Product) => Promise<void>) => {
    const steps = products().map((product) => step(product));
    for (const ended of steps) ignoreError(ended, log, 'a cell did not end in order');
    await Promise.allSettled(steps);
  };

  return {
    read,
    start: async () => {
      const isAllTried = await endsWithin(openAll(), OPEN_WITHIN_MS);
      if (!isAllTried) log.warn('some cells are not open yet; requests for them are answered with 503');
      timer = every(READ_EVERY_MS, () => {
        const reading = read();
        ignoreError(reading, log, 'the cells stay as they are until the database answers');
        void reading.then(openAll, openAll);
      }).unref();
    },
    list: () => [...cells.values()],
    numberOf: places.numberOf,
    leave: (lameDuckMs) => endEach((product) => product.leave(lameDuckMs)),
    drain: (drainMs) => endEach((product) => product.drain(drainMs)),
    close: async () => {
      isClosed = true;
      timer?.cancel();
      // A cell that is still opening closes itself later. Its database may not answer, so the stop does not wait.
      const openings = Promise.all([...cells.values()].map(({ opening }) => opening));
      await Promise.all([endEach((product) => product.close()), endsWithin(openings, OPENINGS_END_WITHIN_MS)]);
    },
  };
}

function sampleOpen(metrics: CellSetOptions['metrics'], cells: () => Iterable<Cell>): void {
  metrics.sample(() => {
    for (const { name, product } of cells()) metrics.cellOpen.set({ cell: name }, product === undefined ? 0 : 1);
  });
}
