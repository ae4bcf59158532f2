import { ACCOUNT_STATUSES } from '../../domain/accounts/index.ts';
import { Closed, PageQuery, Text } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { COUNTED_MAX } from './queries.ts';

const Count = (description: string) => Type.Integer({ description: `${description}; ${COUNTED_MAX} stands for more` });

export const AccountStanding = Type.Object({
  object: Type.Literal('account_standing'),
  account_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(ACCOUNT_STATUSES),
  balance_usd: Type.String({ description: 'The money that is left; below zero if charges exceeded it.' }),
  failed_texts: Count('Texts of the last 24 hours that failed'),
  failed_calls: Count('Calls of the last 24 hours that failed'),
  failing_endpoints: Type.Integer({
    description: 'Webhook endpoints that fail, or that were disabled for that, and that no operator has settled.',
  }),
  emergency_calls: Count('Calls to 911 in the last 24 hours that no operator has settled'),
  port_outs: Type.Integer({ description: 'Numbers that another carrier asks for, and that no operator has settled.' }),
});

export const StandingList = Closed(PageQuery);

/** The longest reference of a payment. */
export const REFERENCE_CHARS_MAX = 200;

export const CreditAccount = Closed({
  amount_usd: Type.String({
    maxLength: 20,
    pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?$',
    form: 'an amount in decimal dollars, such as 250 or 19.99, with six places at most',
    description: 'More than 0.',
  }),
  reference: Text({
    maxLength: REFERENCE_CHARS_MAX,
    description: 'Identifies the payment, such as the number of a transfer: the same one is credited once.',
  }),
});

export const AccountCredit = Type.Object({
  object: Type.Literal('account_credit'),
  account_id: Type.String(),
  is_credited: Type.Boolean({ description: 'False if the reference was credited before: nothing is added.' }),
  balance_usd: Type.String({ description: 'The balance after it.' }),
});
