import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../../lib/errors.ts';
import { PARTY, STORABLE, VISIBLE } from './forms.ts';

/** Codes of its own that a field may carry; read by `validation.ts`. */
export type FieldCodes = {
  /** The code when the field is present and wrong; otherwise invalid_body. */
  errorCode?: ErrorCode;
  /** The code when this is the one required field that is absent or blank; otherwise missing_fields. */
  missingCode?: ErrorCode;
  /** The code when its text could not be stored, so that nothing stored has it; otherwise as `errorCode`. */
  unknownCode?: ErrorCode;
};

/** A request body or query: fields that are not named are refused. */
export const Closed = <P extends TProperties>(
  properties: P,
  options: FieldCodes & { minProperties?: number; description?: string } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

/** Text with at least one visible character. */
export const Text = (options: FieldCodes & { maxLength: number; description?: string }) =>
  Type.String({ minLength: 1, ...VISIBLE, ...options });

export const Nullable = <T extends TSchema>(schema: T, options: FieldCodes = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A moment; a Date in the program, RFC 3339 in UTC on the wire. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const NullableTimestamp = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });

/**
 * At most 20 string values, returned unchanged. Not a Type.Record: its names must match `^.*$`, which one with a line
 * break does not, and its value would be taken unseen and left out of replies.
 */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Type.String({ maxLength: 500, ...STORABLE }),
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 40, ...STORABLE },
});

/** A filter by a phone number, in which a plus sign may have been left unencoded. */
export const FilterParty = Type.Optional(
  Type.String({ ...PARTY, plusMayBeSpace: true, description: 'E.164, a short code or "anonymous"' }),
);

/** Any id: its kind is settled by looking it up, so that a malformed one, however long, is simply not found. */
export const Id = Type.String({ minLength: 1 });

export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 25 });
export const Cursor = Type.String({ minLength: 1, maxLength: 500 });
export const PageQuery = { limit: Type.Optional(Limit), after: Type.Optional(Cursor) };

/** A filter by the id of something that must exist: what nothing can have as its id is not found either. */
export const FilterId = (unknownCode: ErrorCode) => Type.Optional(Type.String({ ...Id, unknownCode }));

export const TenantQuery = { tenant_id: FilterId('tenant_not_found') };

const Moment = (errorCode: ErrorCode, end: string) =>
  Type.Optional(Type.String({ maxLength: 40, errorCode, description: `RFC 3339 or YYYY-MM-DD; ${end}` }));
export const RangeQuery = { start: Moment('invalid_start', 'taken in'), end: Moment('invalid_end', 'left out') };

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
      request_id: Type.String({ description: 'As in the Request-Id header' }),
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
    request_id: Type.String({ description: 'The same' }),
  },
  { $id: 'Error' },
);

export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
