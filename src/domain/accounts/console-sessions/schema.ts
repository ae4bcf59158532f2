import { Closed, Id, Nullable, PageQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { CONSOLE_ROLES } from './rules.ts';

const fields = {
  id: Type.String(),
  object: Type.Literal('console_session'),
  role: Type.Enum(CONSOLE_ROLES, {
    description:
      'The rights of the session. An `operator` may use every account, and sees the installation. `account` is a link ' +
      'for one account: it belongs to no user and has the rights of an admin.',
  }),
  user: Nullable(
    Type.Object(
      { id: Type.String(), email: Type.String() },
      { description: 'The user of the session; null for a link that belongs to no user.' },
    ),
  ),
  account_id: Nullable(Type.String({ description: 'The only account that the session may use; null for operators.' })),
  created_at: Timestamp,
  expires_at: Timestamp,
  last_seen_at: Type.Unsafe<Date>({ ...Timestamp, description: 'Exact to a minute.' }),
  user_agent: Nullable(Type.String({ description: 'What the browser called itself when it signed in.' })),
  is_current: Type.Boolean({ description: 'True for the session that made this request.' }),
};

export const ConsoleSession = Type.Object(fields);
export type ConsoleSession = Static<typeof ConsoleSession>;

/** The session of the request, and the data that the console needs first. */
export const CurrentSession = Type.Object({
  ...fields,
  version: Type.String({ description: 'The version of the server.' }),
  default_account_id: Nullable(
    Type.String({ description: 'The account that the console shows first; null if there is none yet.' }),
  ),
});
export type CurrentSession = Static<typeof CurrentSession>;

/** The options of the sign-in page. */
export const SignInOptions = Type.Object({
  object: Type.Literal('sign_in_options'),
  address: Type.String({
    description: 'The address of the console. It takes requests from pages at this origin only.',
  }),
  has_provider: Type.Boolean({ description: 'True if an identity provider signs people in.' }),
  program: Type.String({
    description: 'What an operator types before the name of a command, such as `dialplane` in the image.',
  }),
});

const TOKEN_CHARS_MAX = 200;
export const SignIn = Closed({
  token: Text({ maxLength: TOKEN_CHARS_MAX, description: 'What stands behind the # of the sign-in link.' }),
});

export const ConsoleSessionList = Closed(PageQuery);
export const sessionParams = Type.Object({ session_id: Id });
