import { EMAIL_CHARS_MAX } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, NullableTimestamp, PageQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { USER_ROLES } from './rules.ts';

const Role = Type.Enum(USER_ROLES, {
  description:
    'An `operator` may use every account, and sees the installation. An `admin` does everything in one account; ' +
    '`support` reads all of it and writes conversations, texts and calls; a `viewer` reads.',
});

export const User = Type.Object({
  id: Type.String(),
  object: Type.Literal('user'),
  email: Type.String(),
  role: Role,
  account_id: Nullable(Type.String({ description: 'The only account that the user may use; null for operators.' })),
  is_by_claim: Type.Boolean({ description: 'True if the identity provider gives the role at each sign-in.' }),
  created_at: Timestamp,
  last_signed_in_at: NullableTimestamp,
});
export type User = Static<typeof User>;

export const CreateUser = Closed({
  email: Type.String({ format: 'email', maxLength: EMAIL_CHARS_MAX }),
  role: Role,
  account_id: Type.Optional(Nullable(Id)),
});
export type CreateUser = Static<typeof CreateUser>;

export const UpdateUser = Closed({ role: Type.Optional(Role), account_id: Type.Optional(Nullable(Id)) });
export type UpdateUser = Static<typeof UpdateUser>;

/** A link that signs the user in, once. */
export const SignInLink = Type.Object({
  object: Type.Literal('sign_in_link'),
  url: Type.String({ description: 'Anyone with this link can sign in as the user. Give it only to the user.' }),
  expires_at: Timestamp,
});

export const UserList = Closed({
  ...PageQuery,
  account_id: Type.Optional(Type.String({ ...Id, description: 'Only the users of this account.' })),
});
export const userParams = Type.Object({ user_id: Id });
