import type { Logger } from 'pino';
import { listMovedLedgers } from '../../db/cells.ts';
import type { Database } from '../../db/database.ts';
import type { KeyDirectory } from '../../http/edge/authenticate.ts';
import { cellNumberOf } from '../../lib/cells.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import type { Cell } from './cell.ts';

type LedgerPlacesOptions = {
  /** The first database. */
  readonly db: Database;
  /** The keys of the first database. */
  readonly keys: Pick<KeyDirectory, 'onEnded'>;
  readonly cells: () => Iterable<Cell>;
  readonly log: Logger;
};

/** The most moves that a search for a ledger follows. A ledger moves less often between two reads of the databases. */
const MOVES_MAX = 256;
const READ_WITHIN_MS = 2_000;

/** The places of ledgers. A ledger is in the cell that its id names, or in the cell that it has moved to. */
export function createLedgerPlaces({ db: first, keys: keysOfFirst, cells, log }: LedgerPlacesOptions) {
  const moved = new Map<number, ReadonlyMap<number, string>>();

  const readOne = async (number: number, db: Database) => {
    const ledgers = await listMovedLedgers(db);
    moved.set(number, new Map(ledgers.map(({ id, moved_to }) => [id, moved_to])));
  };

  const numberOfCell = (name: string): number | undefined =>
    name === '' ? 0 : [...cells()].find((cell) => cell.name === name)?.number;

  /** Reads which ledgers have left their databases. If a database does not answer, keeps its last answer. */
  const read = async (): Promise<void> => {
    const readings = [readOne(0, first)];
    for (const { number, product } of cells()) {
      if (product === undefined) continue;
      follow(product.keys);
      readings.push(readOne(number, product.context.db));
    }
    for (const reading of readings) ignoreError(reading, log, 'moved ledgers are read from a database again later');
    await endsWithin(Promise.allSettled(readings), READ_WITHIN_MS);
  };

  const followed = new WeakSet<LedgerPlacesOptions['keys']>();
  /**
   * Reads again when a message reports that all keys of a database are outdated. This happens when an account has
   * moved.
   */
  const follow = (keys: LedgerPlacesOptions['keys']) => {
    if (followed.has(keys)) return;
    followed.add(keys);
    keys.onEnded((hash) => {
      if (hash.length === 0) ignoreError(read(), log, 'moved ledgers are read again within seconds');
    });
  };
  follow(keysOfFirst);

  return {
    /** Reads which ledgers have left their databases. */
    read,
    /** Returns the number of the cell that has a ledger; 0 for the first database. */
    numberOf: (ledgerId: number): number => {
      let number = cellNumberOf(ledgerId);
      for (let moves = 0; moves < MOVES_MAX; moves++) {
        const next = moved.get(number)?.get(ledgerId);
        const following = next === undefined ? undefined : numberOfCell(next);
        if (following === undefined) break;
        number = following;
      }
      return number;
    },
  };
}
