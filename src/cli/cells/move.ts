/** The commands that move accounts between the databases of an installation. */
import { pino } from 'pino';
import { createBus } from '../../db/bus.ts';
import {
  type CellRow,
  findAccountState,
  listAccountsIn,
  listCells,
  listUnfinishedMoves,
  type UnfinishedMove,
} from '../../db/cells.ts';
import { forgetAllKeys } from '../../domain/accounts/index.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { PROGRAM } from '../../lib/program.ts';
import {
  abortMove,
  type MoveOptions,
  MoveRefusedError,
  moveAccount,
  type Place,
} from '../../server/cells/move/move-account.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  noAccount,
  required,
  type Terminal,
  tell,
  UsageError,
} from '../command.ts';
import { useCell, withDatabase } from '../install/install-database.ts';

/** The name of the database of DATABASE_URL in these commands. No cell has this name. */
const FIRST = 'first';

const nameOf = (place: Pick<Place, 'name'>) => (place.name === '' ? 'the first database' : `cell ${place.name}`);

const WAIT_S_MAX = 86_400;

function readWait({ wait = '0' }: Arguments['options']): number {
  const seconds = Number(wait);
  if (!/^\d+$/.test(wait) || seconds > WAIT_S_MAX) throw new UsageError(`SECONDS is a number up to ${WAIT_S_MAX}`);
  return seconds * 1_000;
}

/** Opens the databases of the installation, and passes those that answer to `work`. */
async function withPlaces<T>(terminal: Terminal, work: (places: readonly Place[]) => Promise<T>): Promise<T> {
  return await withDatabase(terminal, async (db) => {
    const answering: CellRow[] = [];
    for (const cell of await listCells(db)) {
      if (cell.state !== 'open') continue;
      try {
        await useCell(cell, terminal, async () => undefined);
        answering.push(cell);
      } catch (error) {
        terminal.err(`Cell ${cell.name} is left out: ${reasonOf(error)}`);
      }
    }
    const openRest = async ([cell, ...rest]: readonly CellRow[], places: readonly Place[]): Promise<T> => {
      if (cell === undefined) return await work(places);
      return await useCell(cell, terminal, (cellDb) =>
        withBus({ name: cell.name, db: cellDb }, (place) => openRest(rest, [...places, place])),
      );
    };
    return await withBus({ name: '', db }, (first) => openRest(answering, [first]));
  });
}

/** Connects to the processes of a database while `work` runs. */
async function withBus<T>({ name, db }: Pick<Place, 'name' | 'db'>, work: (place: Place) => Promise<T>): Promise<T> {
  const bus = createBus(db, pino({ level: 'silent' }), name === '' ? undefined : name);
  await bus.start();
  try {
    return await work({ name, db, announce: () => forgetAllKeys(bus) });
  } finally {
    await bus.close();
  }
}

function placeNamed(places: readonly Place[], name: string): Place {
  const found = places.find((place) => place.name === (name === FIRST ? '' : name));
  if (found === undefined)
    throw new CommandError(`No open cell ${name} answers; "${PROGRAM} cells list" lists the cells.`);
  return found;
}

/** The database that an account is in, and the target of its move if one was interrupted. */
type Located = { readonly source: Place; readonly movesTo: string | undefined };

/** Finds the database that an account is in. If the account is moving, this is the database that it leaves. */
async function locate(places: readonly Place[], accountId: string): Promise<Located> {
  let home: Place | undefined;
  for (const place of places) {
    const [move] = (await listUnfinishedMoves(place.db)).filter(({ account_id }) => account_id === accountId);
    if (move !== undefined) return { source: place, movesTo: move.moves_to };
    const state = await findAccountState(place.db, accountId);
    if (state?.state === 'active' || state?.state === 'moving') home = place;
  }
  if (home === undefined) throw noAccount(accountId);
  return { source: home, movesTo: undefined };
}

const move: Command = {
  name: 'cells move',
  usage: 'ACCOUNT --to CELL|first [--wait SECONDS] [--abort]',
  summary: 'Move an account, with everything that belongs to it, to another cell or to the first database',
  description:
    'For the time of the copy, requests of the account that change something get 503 with Retry-After, and its texts and ' +
    'webhooks wait. Reads continue. If the command is interrupted, run it again: it continues. The rows of the old database ' +
    'are kept for a day.',
  positionals: 1,
  options: ['to', 'wait'],
  flags: ['abort'],
  meanings: {
    to: 'The cell; "first" for the database of DATABASE_URL',
    wait: 'How long to wait for running calls to end before the pause; 0 by default',
    abort: 'Go back to the old database, if a move was interrupted before the account was in the new one',
  },
  examples: [`${PROGRAM} cells move acct_01J8Z3 --to west`],
  run: async (args, terminal) => {
    const [accountId = ''] = args.positionals;
    const to = required(args, 'to');
    const waitMs = readWait(args.options);
    return await withPlaces(terminal, async (places) => {
      const target = placeNamed(places, to);
      const { source, movesTo } = await locate(places, accountId);
      if (movesTo !== undefined && movesTo !== target.name) {
        throw new CommandError(
          `A move of the account to ${nameOf({ name: movesTo })} was interrupted: run it again, or with --abort.`,
        );
      }
      if (source === target) {
        tell(terminal, { account: accountId, cell: to, moved: false }, [`The account is in ${nameOf(target)}.`]);
        return 0;
      }
      const options = { accountId, source, target, onProgress: (text: string) => terminal.err(text) };
      if (args.flags.has('abort')) await abort(options, movesTo, terminal);
      else await moveOne({ ...options, waitMs }, terminal);
      return 0;
    });
  },
};

async function abort(
  options: Omit<MoveOptions, 'waitMs'>,
  movesTo: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (movesTo === undefined) throw new CommandError('No move of the account was interrupted.');
  await refusable(abortMove(options));
  const { accountId, source } = options;
  tell(terminal, { account: accountId, moved: false }, [`The account stays in ${nameOf(source)}.`]);
}

async function moveOne(options: MoveOptions, terminal: Terminal): Promise<void> {
  const { accountId, target } = options;
  const { pauseMs } = await refusable(moveAccount(options));
  const seconds = (pauseMs / 1_000).toFixed(1);
  const value = {
    account: accountId,
    cell: target.name === '' ? FIRST : target.name,
    moved: true,
    paused_ms: Math.round(pauseMs),
  };
  tell(terminal, value, [`Account ${accountId} is in ${nameOf(target)}. Its writes were refused for ${seconds} s.`]);
}

/** Turns the refusal of a move into an error of the command. */
async function refusable<T>(moving: Promise<T>): Promise<T> {
  try {
    return await moving;
  } catch (error) {
    if (error instanceof MoveRefusedError) throw new CommandError(error.message);
    throw error;
  }
}

const drain: Command = {
  name: 'cells drain',
  usage: 'CELL --to CELL|first [--wait SECONDS]',
  summary: 'Move every account of a cell to another one, one after the other',
  description:
    'An account that cannot move stays. The last lines name each one with the reason. Run the command again to continue.',
  positionals: 1,
  options: ['to', 'wait'],
  meanings: {
    to: 'The cell that takes the accounts; "first" for the database of DATABASE_URL',
    wait: 'How long to wait for running calls of each account; 0 by default',
  },
  examples: [`${PROGRAM} cells drain west --to east --wait 600`],
  run: async (args, terminal) => {
    const [from = ''] = args.positionals;
    const to = required(args, 'to');
    const waitMs = readWait(args.options);
    return await withPlaces(terminal, async (places) => {
      const [source, target] = [placeNamed(places, from), placeNamed(places, to)];
      if (source === target) throw new UsageError('an account cannot move to the cell that it is in');
      const unfinished = await listUnfinishedMoves(source.db);
      const accounts = [
        ...new Set([...unfinished.map(({ account_id }) => account_id), ...(await listAccountsIn(source.db))]),
      ];
      const stayed: { account: string; reason: string }[] = [];
      for (const [index, accountId] of accounts.entries()) {
        terminal.err(`Account ${index + 1} of ${accounts.length}: ${accountId}`);
        const options = { accountId, source, target, waitMs, onProgress: (text: string) => terminal.err(text) };
        const reason = await drainOne(options, unfinished);
        if (reason !== undefined) stayed.push({ account: accountId, reason });
      }
      const moved = accounts.length - stayed.length;
      tell(terminal, { moved, stayed }, [
        `${moved} accounts moved to ${nameOf(target)}; ${stayed.length} stay in ${nameOf(source)}.`,
        ...stayed.map(({ account, reason }) => `${account}: ${reason}`),
      ]);
      return stayed.length === 0 ? 0 : 1;
    });
  },
};

/**
 * Moves one account out of a cell that is being emptied.
 * @returns why the account stays; undefined if it has moved
 */
async function drainOne(options: MoveOptions, unfinished: readonly UnfinishedMove[]): Promise<string | undefined> {
  const { accountId, target } = options;
  const begun = unfinished.find(({ account_id }) => account_id === accountId);
  if (begun !== undefined && begun.moves_to !== target.name) {
    return `A move to ${nameOf({ name: begun.moves_to })} was interrupted.`;
  }
  try {
    await moveAccount(options);
    return undefined;
  } catch (error) {
    if (error instanceof MoveRefusedError) return error.message;
    throw error;
  }
}

export const moveCommands: readonly Command[] = [move, drain];
