/** Statements on the users of the console. Users belong to the whole installation, and use wall time. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { EndedKey } from '../api-keys/ledger-queries.ts';
import type { UserRole } from './rules.ts';
import type { User } from './schema.ts';

const COLUMNS = `u.id, 'user' as object, u.email, u.role, u.account_id, u.is_by_claim, u.created_at, u.last_signed_in_at`;

export type NewUser = {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly account_id: string | null;
  readonly is_by_claim: boolean;
};

const INSERT = statement<NewUser, User>(
  'users_insert',
  `insert into users as u (id, email, role, account_id, is_by_claim)
   values (:id, :email, :role, :account_id, :is_by_claim) on conflict (email) do nothing returning ${COLUMNS}`,
);

/** Inserts a user. @returns undefined if the address is another user's */
export async function insertUser(tx: Tx, user: NewUser): Promise<User | undefined> {
  const [row] = await tx.query(INSERT, user);
  return row;
}

// Every id is below 'v', so without a position the range is the whole table.
const LIST = statement(
  'users_list',
  `select ${COLUMNS} from users u where u.id < coalesce($1::text, 'v') order by u.id desc limit $2`,
);
const LIST_OF_ACCOUNT = statement(
  'users_list_of_account',
  `select ${COLUMNS} from users u
   where u.account_id = $1 and u.id < coalesce($2::text, 'v') order by u.id desc limit $3`,
);

type Page = { readonly before: string | null; readonly rows: number };

/** Lists users, newest first: all users, or the users of one account. */
export function listUsers(db: Db, accountId: string | null, { before, rows }: Page): Promise<User[]> {
  if (accountId === null) return db.query(LIST, [before, rows]);
  return db.query(LIST_OF_ACCOUNT, [accountId, before, rows]);
}

const LIST_ALL = statement('users_list_all', `select ${COLUMNS} from users u order by u.email`);
const LIST_ALL_OF_ACCOUNT = statement(
  'users_list_all_of_account',
  `select ${COLUMNS} from users u where u.account_id = $1 order by u.email`,
);

/** Lists all users by address, or all of one account. For the operator's command. */
export function listAllUsers(db: Db, accountId: string | null): Promise<User[]> {
  return accountId === null ? db.query(LIST_ALL, []) : db.query(LIST_ALL_OF_ACCOUNT, [accountId]);
}

const LOCK = statement('users_lock', `select ${COLUMNS} from users u where u.id = $1 for no key update`);

/** Returns a user, locked until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<User | undefined> {
  const [row] = await tx.query<User>(LOCK, [id]);
  return row;
}

const FIND_BY_EMAIL = statement('users_find_by_email', `select ${COLUMNS} from users u where u.email = $1`);

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const [row] = await db.query<User>(FIND_BY_EMAIL, [email]);
  return row;
}

type Change = Pick<NewUser, 'id' | 'role' | 'account_id'>;

const UPDATE = statement<Change, User>(
  'users_update',
  `update users u set role = :role, account_id = :account_id where u.id = :id returning ${COLUMNS}`,
);

export async function updateUser(tx: Tx, change: Change): Promise<User> {
  const [row] = await tx.query(UPDATE, change);
  return row as User;
}

const UPDATE_SESSIONS = statement<Change, EndedKey>(
  'users_update_sessions',
  `with links as (delete from console_links where user_id = :id)
   update console_sessions set role = :role, account_id = :account_id where user_id = :id
   returning secret_hash as key_hash`,
);

/** Gives the sessions of a user the present role and account of the user. Deletes the sign-in links of the user. */
export function updateSessionsOfUser(tx: Tx, change: Change): Promise<EndedKey[]> {
  return tx.query(UPDATE_SESSIONS, change);
}

const END_SESSIONS = statement(
  'users_end_sessions',
  'delete from console_sessions where user_id = $1 returning secret_hash as key_hash',
);

/** Ends the sessions of a user. */
export function endSessionsOfUser(tx: Tx, id: string): Promise<EndedKey[]> {
  return tx.query(END_SESSIONS, [id]);
}

const DELETE = statement('users_delete', 'delete from users where id = $1');

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.query(DELETE, [id]);
}

const SIGNED_IN = statement('users_signed_in', 'update users set last_signed_in_at = now() where id = $1');

export async function markSignedIn(tx: Tx, id: string): Promise<void> {
  await tx.query(SIGNED_IN, [id]);
}
