import type { Database, Tx } from '../../db/database.ts';
import {
  changeUser,
  createUser,
  findUserByEmail,
  LINK_LIFE_S,
  listAllUsers,
  makeSignInLink,
  readEmail,
  removeUser,
  USER_ROLES,
  type UserRole,
} from '../../domain/accounts/index.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { PROGRAM } from '../../lib/program.ts';
import { type Arguments, type Command, CommandError, required, type Terminal, tell, UsageError } from '../command.ts';
import { withDatabase } from '../install/install-database.ts';
import { listRows, OVER_CELLS } from '../install/list-rows.ts';
import { findPublicUrl } from '../install/public-url.ts';

const ROLES = `one of ${USER_ROLES.join(', ')}`;

const MEANINGS = {
  role: `${ROLES}: an operator uses every account, an admin one account, support serves its customers, a viewer reads`,
  account: 'The account that the user may use; every role but operator needs it',
};

const add: Command = {
  name: 'users add',
  usage: 'EMAIL --role ROLE [--account ACCOUNT_ID]',
  summary: 'Add a person to the console, and print a link that signs the person in, once',
  positionals: 1,
  options: ['role', 'account'],
  meanings: MEANINGS,
  examples: [
    `${PROGRAM} users add dana@example.com --role operator`,
    `${PROGRAM} users add sam@example.com --role support --account acct_01m7ymjag4e008dtbschwftz34`,
  ],
  run: async (args, terminal) => {
    const wanted = { email: emailOf(args), role: readRole(required(args, 'role')), account_id: accountOf(args) };
    const { user, url } = await withDatabase(terminal, (db) =>
      db.transaction(async (tx) => {
        const user = await explained(createUser(tx, { command: add.name }, wanted));
        return { user, url: await linkOf(tx, user, terminal) };
      }),
    );
    tell(terminal, { ...user, sign_in_url: url }, [
      `${user.email} is a user with the role ${user.role} (${user.id}).`,
      url,
      `The link signs the person in, once, within 15 minutes. "${PROGRAM} console --user EMAIL" prints another one.`,
    ]);
    return 0;
  },
};

const list: Command = {
  name: 'users list',
  usage: '[--account ACCOUNT_ID] [--all-cells]',
  summary: 'List the people of the console',
  positionals: 0,
  options: ['account'],
  flags: OVER_CELLS.flags,
  meanings: { account: 'Only the users of this account', ...OVER_CELLS.meanings },
  run: (args, terminal) =>
    listRows(args, terminal, {
      columns: ['email', 'role', 'account_id', 'last_signed_in_at', 'id'],
      read: (db) => listAllUsers(db, args.options['account'] ?? null),
    }),
};

const change: Command = {
  name: 'users change',
  usage: 'EMAIL [--role ROLE] [--account ACCOUNT_ID]',
  summary: 'Give a user another role or account, also in sessions that are open',
  positionals: 1,
  options: ['role', 'account'],
  meanings: MEANINGS,
  run: async (args, terminal) => {
    const { role } = args.options;
    const account = args.options['account'];
    if (role === undefined && account === undefined) throw new UsageError('give --role or --account');
    const wanted = {
      ...(role !== undefined && { role: readRole(role) }),
      ...(account !== undefined && { account_id: account }),
    };
    const user = await changed(terminal, args, (tx, id) => changeUser(tx, { command: change.name }, id, wanted));
    tell(terminal, user, [`${user.email} has the role ${user.role}; open sessions change within 5 seconds.`]);
    return 0;
  },
};

const remove: Command = {
  name: 'users remove',
  usage: 'EMAIL',
  summary: 'Remove a user; sessions of the user end',
  positionals: 1,
  options: [],
  run: async (args, terminal) => {
    const user = await changed(terminal, args, (tx, id) => removeUser(tx, { command: remove.name }, id));
    tell(terminal, user, [`${user.email} is removed; every process refuses the sessions within 5 seconds.`]);
    return 0;
  },
};

export const userCommands: readonly Command[] = [add, list, change, remove];

/** Makes a sign-in link for the user with this e-mail address. */
export async function makeUserLink(db: Database, email: string, terminal: Terminal): Promise<string> {
  const user = await findUserByEmail(db, readEmail(email) ?? email);
  if (user === undefined) throw noUser(email);
  return linkOf(db, user, terminal);
}

type Linked = Parameters<typeof makeSignInLink>;

function linkOf(
  db: Linked[0],
  user: Extract<Linked[1], { user: unknown }>['user'],
  terminal: Terminal,
): Promise<string> {
  return makeSignInLink(db, { user, publicUrl: findPublicUrl(terminal), lifeS: LINK_LIFE_S });
}

function changed<Result>(
  terminal: Terminal,
  args: Arguments,
  change: (tx: Tx, id: string) => Promise<Result>,
): Promise<Result> {
  const email = emailOf(args);
  return withDatabase(terminal, (db) =>
    db.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (user === undefined) throw noUser(email);
      return explained(change(tx, user.id));
    }),
  );
}

/** Turns an ApiError into a CommandError with the same message. */
async function explained<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(error.message);
    throw error;
  }
}

function noUser(email: string): CommandError {
  return new CommandError(`There is no user ${email}; "${PROGRAM} users list" lists them.`);
}

function emailOf({ positionals: [text = ''] }: Arguments): string {
  const email = readEmail(text);
  if (email === undefined) throw new UsageError(`EMAIL is "${text}"; give an address such as dana@example.com`);
  return email;
}

function accountOf({ options }: Arguments): string | null {
  return options['account'] ?? null;
}

function readRole(text: string): UserRole {
  const role = USER_ROLES.find((candidate) => candidate === text);
  if (role === undefined) throw new UsageError(`--role is "${text}"; give ${ROLES}`);
  return role;
}
