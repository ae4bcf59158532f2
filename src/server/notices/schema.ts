import { Closed, NullableTimestamp, Text, Timestamp } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { NOTICE_KINDS } from './rules.ts';

/** The most notices that are shown. Unsettled notices come first. */
export const NOTICES_SHOWN = 200;
/** The limit is high because the state of a connection contains a code of the carrier. */
const STATE_CHARS_MAX = 1_000;

const NullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const Notice = Type.Object({
  object: Type.Literal('notice'),
  kind: Type.Enum(NOTICE_KINDS, {
    description:
      'emergency_call: a call to 911 of the last 24 hours; port_out: a number that another carrier asks for; failing_endpoint: a webhook endpoint that fails, or that was disabled for that; connection: an error which says that the account at the carrier does not allow requests. Notices of accounts are of live mode.',
  }),
  subject_id: Type.String({ description: 'The id of the call, number, webhook endpoint or connection.' }),
  state: Type.String({
    description: 'Identifies the call, request or series of failures. A new one of the same subject is a new notice.',
  }),
  since: NullableTimestamp,
  name: Type.String({ description: 'The calling number, the number, the URL or the name of the connection.' }),
  detail: NullableText(
    'The carrier that asks, the reason why the endpoint is disabled, or the error of the carrier; null if there is none.',
  ),
  account_id: NullableText('Null for a connection of all accounts.'),
  account_name: NullableText('Null for a connection of all accounts.'),
  settled: Type.Union(
    [
      Type.Object({
        by: Type.String({
          description: "The e-mail address of the user; 'operator' for a session that belongs to no user.",
        }),
        at: Timestamp,
      }),
      Type.Null(),
    ],
    { description: 'Null until an operator settles the notice. Ends after 30 days.' },
  ),
});

/** The body of a request that settles a notice, and the query of a request that opens it again. */
export const SettleNotice = Closed({
  kind: Type.Enum(NOTICE_KINDS, { description: 'The kind of the notice.' }),
  subject_id: Text({ maxLength: 100, description: 'The `subject_id` of the notice.' }),
  state: Text({ maxLength: STATE_CHARS_MAX, description: 'The `state` of the notice.' }),
});
