import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../lib/errors.ts';

/** Codes of its own that a field may carry; read by `validation.ts`. */
export type FieldCodes = {
  /** The code when the field is present and wrong; otherwise invalid_body. */
  errorCode?: ErrorCode;
  /** The code when this is the one required field that is absent or blank; otherwise missing_fields. */
  missingCode?: ErrorCode;
};

/** A request body or query: fields that are not named are refused. */
export const Closed = <P extends TProperties>(
  properties: P,
  options: FieldCodes & { minProperties?: number; description?: string } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

/** Text with at least one visible character. */
export const Text = (options: FieldCodes & { maxLength: number; description?: string }) =>
  Type.String({ minLength: 1, pattern: '\\S', ...options });

export const Nullable = <T extends TSchema>(schema: T, options: FieldCodes = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A moment; a Date in the program, RFC 3339 in UTC on the wire. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const NullableTimestamp = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });

/** Text without NUL and without half a surrogate pair: neither could be stored and given back as it came. */
const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';

/** At most 20 string values, returned unchanged. */
export const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 500, pattern: STORABLE }), {
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 40, pattern: STORABLE },
});

export const PHONE_SHAPE = '^\\+[1-9][0-9]{6,14}$';

/** Any id in a path: its kind is settled by looking it up, so that a malformed one is simply not found. */
export const Id = Type.String({ minLength: 1, maxLength: 100 });

export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 25 });
export const Cursor = Type.String({ minLength: 1, maxLength: 500 });
export const PageQuery = { limit: Type.Optional(Limit), after: Type.Optional(Cursor) };
export const TenantQuery = { tenant_id: Type.Optional(Id) };
export const RangeQuery = {
  start: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339 or YYYY-MM-DD; taken in' })),
  end: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339 or YYYY-MM-DD; left out' })),
};

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  });

export const ListOf = <T extends TSchema>(item: T) => Type.Object({ data: Type.Array(item) });

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      docs_url: Type.String(),
      param: Type.Optional(Type.String()),
      suggestions: Type.Optional(
        Type.Array(
          Type.Object({
            street: Type.String(),
            unit: Type.Union([Type.String(), Type.Null()]),
            city: Type.String(),
            state: Type.String(),
            postal_code: Type.String(),
          }),
          { description: 'Of e911_address_invalid: addresses that would be taken' },
        ),
      ),
    }),
    request_id: Type.String(),
  },
  { $id: 'Error' },
);

export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
