import type { Session } from '../../../http/edge/authenticate.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { now } from '../../../lib/time/time.ts';
import { Type } from '../../../lib/type.ts';
import { LINK_LIFE_S } from '../console-sessions/rules.ts';
import { makeSignInLink } from '../console-sessions/sign-in-link.ts';
import { changeUser, createUser, findUser, removeUser } from './change-users.ts';
import { listUsers } from './queries.ts';
import type { UserRole } from './rules.ts';
import { CreateUser, userParams as params, SignInLink, UpdateUser, User, UserList } from './schema.ts';

const tags = ['Users'];
const config = { access: 'admin' } as const;

/**
 * The routes of users, in the console's own API. A session of one account sees and changes only the users of that
 * account.
 */
export const userRoutes: RoutePlugin = (api, { db, settings }) => {
  api.get(
    '/users',
    { config, schema: { tags, summary: 'List users', querystring: UserList, response: { 200: PageOf(User) } } },
    async ({ session, query: { limit = 25, after, account_id = session.account_id } }) => {
      requireOwn(session, { account_id });
      const before = idPosition('users', after);
      return idPage('users', await listUsers(db, account_id, { before, rows: limit + 1 }), limit);
    },
  );

  api.post(
    '/users',
    { config, schema: { tags, summary: 'Add a user', body: CreateUser, response: { 201: User } } },
    async ({ session, body }, reply) => {
      const { account_id = session.account_id, role } = body;
      requireOwn(session, { role, account_id });
      const user = await db.transaction((tx) => createUser(tx, { session }, { ...body, account_id }));
      return reply.code(201).send(user);
    },
  );

  api.patch(
    '/users/:user_id',
    { config, schema: { tags, summary: 'Change a user', params, body: UpdateUser, response: { 200: User } } },
    ({ session, params: { user_id }, body }) => {
      requireOwn(session, body);
      return db.transaction((tx) => changeUser(tx, { session }, user_id, body));
    },
  );

  api.delete(
    '/users/:user_id',
    { config, schema: { tags, summary: 'Remove a user', params, response: { 204: Type.Null() } } },
    async ({ session, params: { user_id } }, reply) => {
      await db.transaction((tx) => removeUser(tx, { session }, user_id));
      return reply.code(204).send(null);
    },
  );

  api.post(
    '/users/:user_id/sign_in_link',
    { config, schema: { tags, summary: 'Make a sign-in link', params, response: { 201: SignInLink } } },
    async ({ session, params: { user_id } }, reply) => {
      const url = await db.transaction(async (tx) => {
        const user = await findUser(tx, { session }, user_id);
        return makeSignInLink(tx, { user, publicUrl: settings.publicUrl, lifeS: LINK_LIFE_S });
      });
      return reply.code(201).send({ object: 'sign_in_link', url, expires_at: new Date(now() + LINK_LIFE_S * 1_000) });
    },
  );
};

/** Throws if a session of one account tries to make an operator, or a user of another account. */
function requireOwn(session: Session, { role, account_id }: { role?: UserRole; account_id?: string | null }): void {
  if (session.account_id === null) return;
  if (role === 'operator') throw new ApiError('operator_required', { param: 'role' });
  if (account_id !== undefined && account_id !== session.account_id) {
    throw new ApiError('account_not_found', { param: 'account_id' });
  }
}
