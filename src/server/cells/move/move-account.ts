/**
 * Moves an account from one database of the installation to another. Each step can be repeated. So an interrupted move
 * continues when it is started again, or `abortMove` undoes it. The state of the ledgers in the old database decides
 * where the account is: in the old database until they are `moved`, then in the new one. (Decision 0080)
 */
import type { Client } from 'pg';
import type { Database } from '../../../db/database.ts';
import { monotonicMs, sleep } from '../../../lib/time/time.ts';
import { endClaimsOnWork, putOffWork } from '../../../queue/worker/work-of-moves.ts';
import {
  beginMove,
  countCalls,
  endMove,
  forgetMove,
  hasSwitched,
  isBegun,
  lockMove,
  openAccount,
  pauseAccount,
  readMoved,
  resumeAccount,
  switchAccount,
} from './account-queries.ts';
import { forgetChanges, noteChanges } from './changes-queries.ts';
import { awaitRelease, closeConnections, listConnectionIds } from './connection-queries.ts';
import { catchUp, copyAhead, copyRest, dropCopy } from './copy-queries.ts';
import { dropFence, enterFence, type Moved, raiseFence } from './fence-queries.ts';
import { findHolds } from './hold-queries.ts';
import { setRowsAside } from './moved-rows-queries.ts';
import { passTransactions } from './transaction-queries.ts';

/** A database of the installation. The first one has an empty name. */
export type Place = {
  readonly name: string;
  readonly db: Database;
  /** Makes the processes read keys and the states of their ledgers again. */
  readonly announce: () => void;
};

/** The steps of a move, in order. Each name says what has been done at the end of the step. */
export const MOVE_STEPS = [
  'checked',
  'copied ahead',
  'paused',
  'quiet',
  'fenced',
  'copied',
  'switched',
  'opened',
  'set aside',
] as const;
export type MoveStep = (typeof MOVE_STEPS)[number];

export type MoveOptions = {
  readonly accountId: string;
  readonly source: Place;
  readonly target: Place;
  /** How long to wait for running calls before the pause. */
  readonly waitMs: number;
  readonly onProgress: (text: string) => void;
  /** Called after each step. If it throws an error, the move is interrupted. */
  readonly onStep?: (step: MoveStep) => void;
};

/** The move is not possible. The account has not changed. */
export class MoveRefusedError extends Error {
  override readonly name = 'MoveRefusedError';
}

/** Thrown by `onStep` to stop a move at a step, as if the process had died there. */
export class MoveStoppedError extends Error {
  override readonly name = 'MoveStoppedError';
}

/** The sessions of a move, one in each database. */
type Sessions = { readonly source: Client; readonly target: Client };

/** Longer than the three seconds that processes cache keys. */
const KEYS_KNOWN_MS = 4_000;
const LOOK_FOR_CALLS_MS = 500;
/**
 * Processes close the account's connections within this time. If one does not, the fence ends its leases of engines.
 */
const CLOSED_WITHIN_S = 10;
/** Inside the fence no process can renew its lease of an engine, so each lease ends within this time. */
const HOLDS_END_WITHIN_S = 15;

/**
 * Moves an account, or continues an interrupted move.
 * @returns how long writes were refused in this run
 * @throws MoveRefusedError with a sentence about the obstacle
 */
export async function moveAccount(options: MoveOptions): Promise<{ pauseMs: number }> {
  const { source, target, accountId } = options;
  return await withSessions({ source, target, accountId }, async (sessions) => {
    const moved = await readMoved(sessions.source, accountId);
    const isSwitched = await hasSwitched(sessions.source, moved);
    const pausedAt = isSwitched ? monotonicMs() : await attempt(options, sessions, moved);
    await open(options, sessions, moved);
    const pauseMs = monotonicMs() - pausedAt;
    // A process may use a cached key and read from the old database until this time is over.
    await sleep(KEYS_KNOWN_MS);
    await finish(options, sessions, moved);
    return { pauseMs };
  });
}

/**
 * Undoes an interrupted move, so that the account is as before. Refused if the account is in the other database
 * already.
 */
export async function abortMove(options: Omit<MoveOptions, 'waitMs'>): Promise<void> {
  const { source, target, accountId } = options;
  await withSessions({ source, target, accountId }, async (sessions) => {
    const moved = await readMoved(sessions.source, accountId);
    if (await hasSwitched(sessions.source, moved)) {
      throw new MoveRefusedError('The account is in its new database already: the move can only be finished.');
    }
    await goBack(options, sessions, moved);
  });
}

async function withSessions<T>(
  { source, target, accountId }: Pick<MoveOptions, 'source' | 'target' | 'accountId'>,
  work: (sessions: Sessions) => Promise<T>,
): Promise<T> {
  const opened: Client[] = [];
  const open = async ({ db }: Place) => {
    const client = await db.connect('move');
    // If the connection ends, the running statement fails, and the move reports that error.
    client.on('error', () => undefined);
    opened.push(client);
    await enterFence(client);
    return client;
  };
  try {
    const sessions = { source: await open(source), target: await open(target) };
    if (!(await lockMove(sessions.source, accountId)))
      throw new MoveRefusedError('Another command is moving the account.');
    return await work(sessions);
  } finally {
    await Promise.allSettled(opened.map((client) => client.end()));
  }
}

/**
 * Moves the account into the other database. After an error the account is as before, if both databases answer.
 * @returns when the pause began
 */
async function attempt(options: MoveOptions, sessions: Sessions, moved: Moved): Promise<number> {
  try {
    // An interrupted attempt is undone first, so that the account is paused only for the last step.
    if (await isBegun(sessions.source, moved)) await goBack(options, sessions, moved);
    const rowsAhead = await prepare(options, sessions, moved);
    const pausedAt = monotonicMs();
    await leave(options, sessions, { moved, rowsAhead });
    return pausedAt;
  } catch (error) {
    if (error instanceof MoveStoppedError) throw error;
    if (await isBegun(sessions.source, moved)) await goBack(options, sessions, moved);
    throw error;
  }
}

/**
 * Checks the move, and copies the account before the pause. Waits for running calls.
 * @returns the number of copied rows
 */
async function prepare(options: MoveOptions, { source, target }: Sessions, moved: Moved): Promise<number> {
  const { waitMs, onProgress, onStep } = options;
  const hold = await findHolds(source, target, moved);
  if (hold !== undefined) throw new MoveRefusedError(hold);
  const unpassable = await passTransactions(source, target, { ledgerIds: moved.ledgerIds, onProgress });
  if (unpassable !== undefined) throw new MoveRefusedError(`The account cannot move: ${unpassable}.`);
  onStep?.('checked');
  await awaitCalls(source, moved, { waitMs, onProgress });
  await beginMove(source, moved, options.target.name);
  await raiseFence(target, moved);
  await noteChanges(source, moved);
  const rowsAhead = await copyAhead({ source, target, moved }, ({ table, rows }) =>
    onProgress(`Copied ${rows.toLocaleString('en')} rows of ${table}`),
  );
  onStep?.('copied ahead');
  await awaitCalls(source, moved, { waitMs, onProgress });
  await catchUp({ source, target, moved });
  return rowsAhead;
}

async function awaitCalls(
  source: Client,
  moved: Moved,
  { waitMs, onProgress }: Pick<MoveOptions, 'waitMs' | 'onProgress'>,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_FOR_CALLS_MS) {
    const calls = await countCalls(source, moved);
    if (calls === 0) return;
    if (waitedMs >= waitMs) {
      throw new MoveRefusedError(
        `The account has ${calls} running calls, and a call cannot move. Try again later, or wait for them with --wait SECONDS.`,
      );
    }
    if (waitedMs === 0) onProgress(`Waiting for the end of ${calls} calls`);
    await sleep(LOOK_FOR_CALLS_MS);
  }
}

/**
 * Ends the move if a call has begun. The call may be to 911, and its legs are dialled when the account is as it was. So
 * the steps that wait look for calls while they wait.
 * @throws MoveRefusedError
 */
async function refuseNewCalls(source: Client, moved: Moved): Promise<void> {
  const calls = await countCalls(source, moved);
  if (calls > 0)
    throw new MoveRefusedError(`${calls} calls began before the pause. The account is as it was; try again.`);
}

/** Pauses the account, completes its copy, and makes the other database its own. */
async function leave(
  options: MoveOptions,
  { source, target }: Sessions,
  { moved, rowsAhead }: { readonly moved: Moved; readonly rowsAhead: number },
): Promise<void> {
  const { target: place, onProgress, onStep } = options;
  await pauseAccount(source, moved);
  options.source.announce();
  onStep?.('paused');
  const onLook = () => refuseNewCalls(source, moved);
  await putOffWork(source, moved.ledgerIds, onLook);
  onStep?.('quiet');
  await closeConnections(source, moved.accountId);
  options.source.announce();
  await awaitRelease(source, moved, { withinS: CLOSED_WITHIN_S, onLook });
  await raiseFence(source, moved, onLook);
  await endClaimsOnWork(source, moved.ledgerIds);
  await refuseNewCalls(source, moved);
  if (!(await awaitRelease(source, moved, { withinS: HOLDS_END_WITHIN_S })))
    throw new MoveRefusedError('A process does not let go of a SIP engine. The account is as it was; try again.');
  if (`${await listConnectionIds(source, moved.accountId)}` !== `${moved.connectionIds}`)
    throw new MoveRefusedError('A connection was added meanwhile. The account is as it was; try again.');
  onStep?.('fenced');
  const unpassable = await passTransactions(source, target, { ledgerIds: moved.ledgerIds, onProgress });
  if (unpassable !== undefined) throw new MoveRefusedError(`The account cannot move: ${unpassable}.`);
  await copyRest({ source, target, moved }, rowsAhead);
  onStep?.('copied');
  await switchAccount(source, moved, place.name);
  onStep?.('switched');
}

/** Lets the new database use the account. */
async function open(options: MoveOptions, { source, target }: Sessions, moved: Moved): Promise<void> {
  await dropFence(target, moved);
  await openAccount(source, target, moved);
  options.target.announce();
  options.source.announce();
  options.onStep?.('opened');
}

/** Removes the account's rows from the tables of the old database, and ends the move. */
async function finish(options: MoveOptions, { source }: Sessions, moved: Moved): Promise<void> {
  const { onProgress, onStep } = options;
  // Rows that are set aside are no changes to copy.
  await forgetChanges(source, moved);
  await setRowsAside(source, moved, (table, { index, tables }) =>
    onProgress(`Setting the old rows aside: ${table}, ${index + 1} of ${tables}`),
  );
  await dropFence(source, moved);
  await endMove(source, moved);
  onStep?.('set aside');
}

/**
 * Ends the pause, then drops the copy. So the account is in use again even if the other database does not answer. The
 * row of the move is deleted last, so this can be repeated after a failure.
 */
async function goBack(options: Omit<MoveOptions, 'waitMs'>, { source, target }: Sessions, moved: Moved): Promise<void> {
  await dropFence(source, moved);
  await resumeAccount(source, moved);
  options.source.announce();
  await forgetChanges(source, moved);
  await dropCopy(target, moved, options.source.name);
  await dropFence(target, moved);
  await forgetMove(source, moved);
}
