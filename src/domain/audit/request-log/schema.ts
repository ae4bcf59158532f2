import { METHODS } from '../../../http/edge/observe.ts';
import { FORM_CHARS_MAX } from '../../../http/schemas/forms.ts';
import {
  Closed,
  Cursor,
  Id,
  Limit,
  Nullable,
  RangeQuery,
  TenantQuery,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const RequestLogEntry = Type.Object({
  id: Type.String({ description: 'The request id: the Request-Id header of the reply.' }),
  object: Type.Literal('request_log_entry'),
  created_at: Type.Unsafe<Date>({
    ...Timestamp,
    description: 'When the request arrived: wall time, also in test mode.',
  }),
  method: Type.Enum(METHODS),
  path: Type.String({ description: 'Without the query. Of a phone number in it, the last four digits are shown.' }),
  route: Nullable(
    Type.String({ description: 'The path with names in place of ids, such as `/v1/messages/{message_id}`.' }),
  ),
  status: Type.Integer({ description: 'The HTTP status of the reply.' }),
  error_code: Nullable(Type.String()),
  duration_ms: Type.Number({ description: 'From the arrival of the request to the end of the reply.' }),
  api_key_id: Type.String({ description: 'The id of the key, or of the console session.' }),
  tenant_id: Nullable(Type.String({ description: 'The tenant of the key, of the request or of the reply.' })),
  resource_id: Nullable(
    Type.String({ description: 'The resource that a write made or changed: that of its reply. Null for reads.' }),
  ),
  idempotency_key: Nullable(Type.String()),
  idempotent_replayed: Type.Boolean({ description: 'True for the stored reply of an earlier request.' }),
});
export type RequestLogEntry = Static<typeof RequestLogEntry>;

const ROUTE_CHARS_MAX = 200;
const CODE_CHARS_MAX = 100;
const ORDERS = ['desc', 'asc'] as const;

export const RequestLogList = Closed({
  ...TenantQuery,
  ...RangeQuery,
  method: Type.Optional(Type.Enum(METHODS, { description: 'Only requests with this method.' })),
  route: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ROUTE_CHARS_MAX,
      description: 'As in the OpenAPI document, such as `/v1/messages/{message_id}`.',
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: FORM_CHARS_MAX,
      pattern: '^[1-5]([0-9]{2}|xx)$',
      description: 'Only these: `404`, or `4xx` for all from 400 to 499.',
      form: 'a status such as 404, or a class of them such as 4xx',
    }),
  ),
  resource_id: Type.Optional({
    ...Id,
    description: 'Only writes that made or changed this resource, such as the request that sent a message.',
  }),
  error_code: Type.Optional(Type.String({ minLength: 1, maxLength: CODE_CHARS_MAX })),
  order: Type.Optional(
    Type.Enum(ORDERS, {
      default: 'desc',
      description: 'asc is for following the log: a request is listed once no other can come before it any more.',
    }),
  ),
  limit: Type.Optional(Limit),
  after: Type.Optional({ ...Cursor, description: 'next_cursor of a page, or the id of a request' }),
});
export type RequestLogList = Static<typeof RequestLogList>;
