/** The commands that add and show connections to carriers, and choose what each is used for. */
import { isDeepStrictEqual } from 'node:util';
import type { AdapterKind, Connection } from '../../carriers/adapter.ts';
import { openCredentials, sealCredentials } from '../../carriers/connections/credentials.ts';
import {
  type ConnectionRow,
  type ConnectionStatus,
  changeConnection,
  type DefaultRow,
  insertConnection,
  listConnections,
  listDefaults,
  moveConnection,
} from '../../carriers/connections/queries.ts';
import { CONNECTIONS_MAX } from '../../carriers/connections/schema.ts';
import type { Tx } from '../../db/database.ts';
import { findAccount } from '../../domain/accounts/index.ts';
import { newId } from '../../lib/ids.ts';
import { PROGRAM } from '../../lib/program.ts';
import { type Command, CommandError, noAccount, tell, UsageError } from '../command.ts';
import { cipherOfInstall } from '../install/cipher-of-install.ts';
import { withDatabase } from '../install/install-database.ts';
import { listRows, OVER_CELLS } from '../install/list-rows.ts';
import { checkGiven, readGiven } from './connection-fields.ts';
import { kindOf, requireConnection, usableOf } from './find-connection.ts';
import { commandInEachDatabase, IN_EACH_DATABASE, inEachDatabase, reportWorked } from './in-each-database.ts';
import { type ConnectionChange, recordConnection } from './record-connection.ts';
import { useCommand } from './use-connection.ts';

const COLUMNS = ['id', 'kind', 'name', 'status', 'account_id', 'used_for', 'created_at'];
const FIELD_MEANINGS = {
  set: 'A setting of this kind of carrier; can be repeated',
  'secrets-from': 'A file with lines KEY=VALUE for the credentials; - reads standard input',
};
const NAME_SHAPE = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Returns the commands for the kinds of carriers that this program knows. */
export function carrierCommands(kinds: readonly AdapterKind[]): readonly Command[] {
  return [add(kinds), list, change(kinds), useCommand(kinds), ...STATUS_COMMANDS];
}

/** Throws CommandError if the installation has CONNECTIONS_MAX connections already. */
async function checkRoom(tx: Tx): Promise<void> {
  if ((await listConnections(tx)).length < CONNECTIONS_MAX) return;
  throw new CommandError(`There are ${CONNECTIONS_MAX} connections already. An installation can have no more.`);
}

function add(kinds: readonly AdapterKind[]): Command {
  return {
    name: 'carriers add',
    usage: 'KIND NAME [--set KEY=VALUE ...] [--secrets-from FILE|-] [--account ACCOUNT_ID]',
    summary: 'Add a connection to a carrier; its credentials are read from a file or from standard input (-)',
    positionals: 2,
    options: ['secrets-from', 'account'],
    repeatable: ['set'],
    meanings: { ...FIELD_MEANINGS, account: 'The only account that may use it; all by default' },
    run: async ({ positionals: [kind = '', name = ''], options, lists }, terminal) => {
      const { description } = kindOf(kinds, kind);
      if (!NAME_SHAPE.test(name)) {
        throw new UsageError('NAME has 1 to 63 lower-case letters, digits and dashes, and does not begin with a dash');
      }
      const given = await readGiven({ set: lists['set'], secretsFrom: options['secrets-from'] });
      const { settings, credentials } = checkGiven(description, given);
      const id = newId('carrier_connection');
      const { account: accountId = null } = options;
      const added = await withDatabase(terminal, async (db) => {
        if (accountId !== null && (await findAccount(db, accountId)) === undefined) throw noAccount(accountId);
        // Opening the database has made the secret in the data folder, so the cipher can be read now.
        const sealed = sealCredentials(cipherOfInstall(), id, credentials);
        const made = { id, kind, name, account_id: accountId, settings, credentials: sealed };
        return db.transaction(async (tx) => {
          await checkRoom(tx);
          const row = await insertConnection(tx, made);
          if (row !== undefined) {
            const command = 'carriers add';
            await recordConnection(tx, row, { command, action: 'carrier_connection.added', accountId });
          }
          return row;
        });
      });
      if (added === undefined) throw new CommandError(`There is a connection ${name} already; choose another name.`);
      tell(terminal, shown(added, []), [
        `Added the connection ${name} (${id}). Nothing uses it yet:`,
        `  ${PROGRAM} carriers check ${name}     asks the carrier whether it works`,
        `  ${PROGRAM} carriers setup ${name}     makes at the carrier what the connection needs`,
        `  ${PROGRAM} carriers use CAPABILITY ${name}     uses it for what is new; capabilities: ${usableOf(description.capabilities)}`,
      ]);
      return 0;
    },
  };
}

const list: Command = {
  name: 'carriers list',
  usage: '[--all-cells]',
  summary: 'List the connections, and what each is used for; credentials are never shown',
  positionals: 0,
  options: [],
  ...OVER_CELLS,
  run: (args, terminal) =>
    listRows(args, terminal, {
      columns: COLUMNS,
      read: async (db) => {
        const [connections, defaults] = [await listConnections(db), await listDefaults(db)];
        return connections.map((row) => shown(row, defaults));
      },
    }),
};

function change(kinds: readonly AdapterKind[]): Command {
  return {
    name: 'carriers change',
    usage: 'NAME [--set KEY=VALUE ...] [--secrets-from FILE|-]',
    summary: 'Change settings or credentials of a connection; the others stay, and an empty VALUE removes one',
    positionals: 1,
    options: ['secrets-from'],
    repeatable: ['set'],
    meanings: FIELD_MEANINGS,
    description: IN_EACH_DATABASE,
    run: async ({ positionals: [name = ''], options, lists }, terminal) => {
      const given = await readGiven({ set: lists['set'], secretsFrom: options['secrets-from'] });
      const changed = [...Object.keys(given.settings), ...Object.keys(given.credentials)];
      if (changed.length === 0) throw new UsageError('give what changes: --set KEY=VALUE or --secrets-from FILE');
      const worked = await inEachDatabase(terminal, name, (db) =>
        db.transaction((tx) => changeFields(tx, { name, given, changed, kinds })),
      );
      const isNew = worked.done.some(({ result }) => result === 'changed');
      return reportWorked(terminal, worked, {
        value: { name, changed },
        sentences: [
          isNew
            ? `Changed ${changed.join(', ')} of ${name}; nodes notice within 5 seconds.`
            : `${name} has this ${changed.join(', ')} already.`,
          `Now run "${PROGRAM} carriers setup ${name}", which brings the carrier up to date.`,
        ],
        describe: describeOutcome,
      });
    },
  };
}

type Change = {
  readonly name: string;
  readonly given: Pick<Connection, 'settings' | 'credentials'>;
  /** The names of the given settings and credentials. */
  readonly changed: readonly string[];
  readonly kinds: readonly AdapterKind[];
};

/**
 * Changes settings and credentials of a connection. If the connection has these values already, nothing is changed or
 * recorded.
 */
async function changeFields(tx: Tx, { name, given, changed, kinds }: Change): Promise<Outcome> {
  const row = await requireConnection(tx, name);
  const cipher = cipherOfInstall();
  const before = { settings: row.settings, credentials: openCredentials(cipher, row) };
  const { settings, credentials } = checkGiven(kindOf(kinds, row.kind).description, {
    settings: merged(before.settings, given.settings),
    credentials: merged(before.credentials, given.credentials),
  });
  if (isDeepStrictEqual({ settings, credentials }, before)) return 'unchanged';
  await changeConnection(tx, { id: row.id, settings, credentials: sealCredentials(cipher, row.id, credentials) });
  const action = 'carrier_connection.changed';
  const details = { changed };
  await recordConnection(tx, row, { command: 'carriers change', action, accountId: row.account_id, details });
  return 'changed';
}

type Fields = Readonly<Record<string, string>>;

function merged(before: Fields, given: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''));
}

const STATUS_COMMANDS = [
  moveCommand(
    'drain',
    ['draining', 'carrier_connection.drained'],
    'Let a connection finish its work; it gets no new work',
  ),
  moveCommand(
    'disable',
    ['disabled', 'carrier_connection.disabled'],
    'Stop a connection: requests that need it are refused (carrier_unavailable)',
  ),
  moveCommand(
    'enable',
    ['active', 'carrier_connection.enabled'],
    'Use a connection again that was drained or disabled',
  ),
];

type Move = readonly [status: ConnectionStatus, action: ConnectionChange['action']];

function moveCommand(verb: string, [status, action]: Move, summary: string): Command {
  const command = `carriers ${verb}`;
  return commandInEachDatabase({
    name: command,
    summary,
    work: (db, { name }) =>
      db.transaction(async (tx): Promise<Outcome> => {
        if ((await requireConnection(tx, name)).status === status) return 'unchanged';
        const moved = (await moveConnection(tx, name, status)) as ConnectionRow;
        await recordConnection(tx, moved, { command, action, accountId: moved.account_id });
        return 'changed';
      }),
    report: ({ connection }) => ({
      value: shown({ ...connection, status }, []),
      sentences: [`The connection ${connection.name} is ${status}; nodes notice within 5 seconds.`],
      describe: describeOutcome,
    }),
  });
}

/** `unchanged`: the database had the change already. */
type Outcome = 'changed' | 'unchanged';

function describeOutcome(outcome: Outcome) {
  return { value: { outcome }, words: outcome === 'changed' ? 'changed' : 'had the change already' };
}

function shown({ credentials: _, settings, ...row }: ConnectionRow, defaults: readonly DefaultRow[]) {
  const uses = defaults.filter(({ connection_id }) => connection_id === row.id);
  const used_for = uses.map(({ capability, account_id }) =>
    account_id === null ? capability : `${capability} of ${account_id}`,
  );
  return { ...row, settings, used_for: used_for.length === 0 ? null : used_for.join(', ') };
}
