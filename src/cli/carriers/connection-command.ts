/** Commands on the connection that the operator names. */
import { type ConnectionRow, findConnection } from '../../carriers/connections/queries.ts';
import type { Database, Db } from '../../db/database.ts';
import { PROGRAM } from '../../lib/program.ts';
import { type Command, CommandError, type Terminal } from '../command.ts';
import { withDatabase } from '../install/install-database.ts';

type ConnectionCommand<Result> = Pick<Command, 'name' | 'summary'> & {
  work(db: Database, connection: ConnectionRow): Promise<Result>;
  /** Shows the result. */
  report(terminal: Terminal, result: Result, connectionName: string): void;
};

/** Defines a command on a connection. The command fails if no connection has the name. */
export function connectionCommand<Result>({ work, report, ...named }: ConnectionCommand<Result>): Command {
  return {
    ...named,
    usage: 'NAME',
    positionals: 1,
    options: [],
    run: async ({ positionals: [name = ''] }, terminal) => {
      const result = await withDatabase(terminal, async (db) => await work(db, await requireConnection(db, name)));
      report(terminal, result, name);
      return 0;
    },
  };
}

/** Returns the connection with the name. Throws CommandError if there is none. */
export async function requireConnection(db: Db, name: string): Promise<ConnectionRow> {
  const found = await findConnection(db, name);
  if (found === undefined)
    throw new CommandError(`There is no connection ${name}; "${PROGRAM} carriers list" lists them.`);
  return found;
}
