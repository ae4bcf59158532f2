import { Closed, PageQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ACCOUNT_STATUSES } from './rules.ts';

export const AccountResource = Type.Object({
  id: Type.String(),
  object: Type.Literal('account'),
  name: Type.String(),
  status: Type.Enum(ACCOUNT_STATUSES, { description: 'Requests of a suspended account are refused.' }),
  created_at: Timestamp,
});
export type AccountResource = Static<typeof AccountResource>;

const NAME_CHARS_MAX = 200;
export const CreateAccount = Closed({ name: Text({ maxLength: NAME_CHARS_MAX }) });

export const AccountList = Closed(PageQuery);
