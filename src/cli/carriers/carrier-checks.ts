/**
 * The commands that send requests to a carrier. They show whether a connection works, and what it needs at the carrier.
 */
import type { AdapterKind } from '../../carriers/adapter.ts';
import { listOpenRequests, OPEN_AFTER_MS, settleByHand } from '../../carriers/book/queries.ts';
import { checkConnection, type NamedFinding, withCarrier } from '../../carriers/connections/check-connection.ts';
import { type ConnectionRow, listConnections } from '../../carriers/connections/queries.ts';
import { listNotices } from '../../carriers/inbox/queries.ts';
import type { Database } from '../../db/database.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { type Command, CommandError, show, type Terminal, tell, UsageError } from '../command.ts';
import { cipherOfInstall } from '../install/cipher-of-install.ts';
import { withDatabase } from '../install/install-database.ts';
import { listRows, OVER_CELLS } from '../install/list-rows.ts';
import { commandInEachDatabase, IN_EACH_DATABASE, inEachDatabase, nameOf } from './in-each-database.ts';

const NOTICES_SHOWN = 50;
const REQUESTS_SHOWN = 100;
const MARKS = { good: 'ok   ', note: 'note ', bad: 'BAD  ' } as const;

/** Returns the commands for the kinds of carriers that this program knows. */
export function carrierCheckCommands(kinds: readonly AdapterKind[]): readonly Command[] {
  return [check(kinds), setup(kinds), notices, reconcile];
}

function check(kinds: readonly AdapterKind[]): Command {
  return {
    name: 'carriers check',
    usage: '[NAME]',
    summary: 'Ask the carrier of one connection, or of all, whether it works; changes nothing there',
    description:
      `With NAME: ${IN_EACH_DATABASE} Without NAME it checks all connections of one database: the first, or that of ` +
      '--cell.',
    positionals: 0,
    optionalPositional: true,
    options: [],
    run: async ({ positionals: [name] }, terminal) => {
      const look = (db: Database, row: ConnectionRow) => checkConnection({ kinds, db, cipher: cipherOfInstall }, row);
      if (name === undefined) {
        const findings = await checkAll(terminal, look);
        tell(terminal, findings, findings.length === 0 ? ['There is no connection.'] : findings.flatMap(linesOf));
        return exitCodeOf(findings);
      }
      const { done, failed } = await inEachDatabase(terminal, name, look);
      const findings = done.flatMap(({ cell, result }) => result.map((finding) => ({ cell, ...finding })));
      const isPlain = failed.length === 0 && done.every(({ cell }) => cell === null);
      const lines = done.flatMap(({ cell, result }) => [
        ...(isPlain ? [] : [`In ${nameOf(cell)}:`]),
        ...result.flatMap(linesOf),
      ]);
      tell(terminal, findings, lines);
      for (const { cell, reason } of failed) terminal.err(`Not checked in ${nameOf(cell)}: ${reason}`);
      return failed.length > 0 ? 1 : exitCodeOf(findings);
    },
  };
}

const exitCodeOf = (findings: readonly NamedFinding[]): number =>
  findings.some(({ state }) => state === 'bad') ? 1 : 0;

/** Checks every connection of the database that the command works on. */
async function checkAll(
  terminal: Terminal,
  look: (db: Database, row: ConnectionRow) => Promise<readonly NamedFinding[]>,
): Promise<readonly NamedFinding[]> {
  return await withDatabase(terminal, async (db) => {
    const rows = await listConnections(db);
    return (await Promise.all(rows.map((row) => look(db, row)))).flat();
  });
}

function linesOf({ state, connection, check: what, found, advice }: NamedFinding): string[] {
  const line = `${MARKS[state]}${connection}  ${what}: ${found}`;
  return advice === undefined ? [line] : [line, `       -> ${advice}`];
}

function setup(kinds: readonly AdapterKind[]): Command {
  return commandInEachDatabase({
    name: 'carriers setup',
    summary: 'Make what a connection needs at its carrier, if it is missing',
    work: async (db, row) => {
      try {
        return await withCarrier({ kinds, db, cipher: cipherOfInstall }, row, (connected) => connected.setup());
      } catch (error) {
        throw new CommandError(`${row.name}: ${reasonOf(error)}`);
      }
    },
    report: ({ connection: { name }, done }) => {
      const [{ result: made }] = done;
      const sentences = made.length === 0 ? [`${name} has all that it needs.`] : made;
      return {
        value: { name, done: made },
        sentences: done.length === 1 ? sentences : [`${name} is set up:`],
        describe: (result) => ({ value: { outcome: 'done', done: result }, words: result.join(' ') || 'has all' }),
      };
    },
  });
}

const notices: Command = {
  name: 'carriers notices',
  usage: 'NAME',
  summary: 'List the last 50 notices of the carrier, and what became of each; they are kept for 7 days',
  description:
    'It lists the notices in every database of the installation that has the connection, with the name of the cell.',
  positionals: 1,
  options: [],
  run: async ({ positionals: [name = ''] }, terminal) => {
    const { done, failed } = await inEachDatabase(terminal, name, (db, { id }) => listNotices(db, id, NOTICES_SHOWN));
    const rows = done
      .flatMap(({ cell, result }) => result.map((notice) => ({ cell, ...notice })))
      .sort((one, other) => other.received_at.getTime() - one.received_at.getTime())
      .slice(0, NOTICES_SHOWN);
    show(terminal, rows, [...(done.length > 1 ? ['cell'] : []), 'received_at', 'type', 'state', 'about', 'id']);
    for (const { cell, reason } of failed) terminal.err(`The notices of cell ${cell} are missing: ${reason}`);
    return failed.length === 0 ? 0 : 1;
  },
};

const reconcile: Command = {
  name: 'carriers reconcile',
  usage: '[--all-cells | --settle ID accepted|absent]',
  summary: 'List requests to carriers whose outcome is unknown, or settle one',
  positionals: 0,
  optionalPositional: true,
  options: ['settle'],
  flags: OVER_CELLS.flags,
  meanings: {
    ...OVER_CELLS.meanings,
    settle: 'The request, followed by what the carrier says: accepted if it has it, absent if not',
  },
  run: async (args, terminal) => {
    const [verdict] = args.positionals;
    const id = args.options['settle'];
    if (id === undefined && verdict === undefined) {
      return await listRows(args, terminal, {
        columns: ['id', 'connection', 'operation', 'ref', 'attempts', 'sent_at'],
        read: (db) => listOpenRequests(db, { connectionId: null, olderMs: OPEN_AFTER_MS, rows: REQUESTS_SHOWN }),
      });
    }
    if (id === undefined || (verdict !== 'accepted' && verdict !== 'absent')) {
      throw new UsageError('--settle takes the ID of a request, and then accepted or absent');
    }
    const settled = await withDatabase(terminal, (db) =>
      db.transaction((tx) => settleByHand(tx, { id, connectionId: null }, verdict)),
    );
    if (settled === undefined) throw new CommandError(`There is no open request ${id}.`);
    const { operation, ref } = settled;
    const meaning = verdict === 'accepted' ? 'the carrier has it' : 'the carrier does not have it';
    tell(terminal, { id, operation, ref, outcome: verdict }, [`${operation} of ${ref} is settled: ${meaning}.`]);
    return 0;
  },
};
