import { SUGGESTIONS_MAX } from '../../carriers/ports/e911.ts';
import { type ErrorCode, PUBLIC_CODES } from '../../lib/errors/errors.ts';
import { type Static, type TProperties, type TSchema, Type } from '../../lib/type.ts';
import { FIELDS_MAX } from './findings.ts';
import { PARTY, STORABLE, VISIBLE } from './forms.ts';

/** Error codes that a field may have; `validation.ts` reads them. */
export type FieldCodes = {
  /** The code if the field is present but wrong; invalid_body by default. */
  errorCode?: ErrorCode;
  /** The code if this field is absent or blank, and no other required field is; missing_fields by default. */
  missingCode?: ErrorCode;
  /** The code if the text is too long; `errorCode` by default. */
  lengthCode?: ErrorCode;
  /** The code for a text that no stored row can have, because the database refuses it; `errorCode` by default. */
  unknownCode?: ErrorCode;
  /** The field is required unless the other field has this value. Needs a `missingCode`. */
  requiredUnless?: { field: string; value: string };
};

/**
 * `component`: the name of the schema in the OpenAPI document. Set for a schema that the document would otherwise
 * repeat.
 */
type ObjectOptions = FieldCodes & { minProperties?: number; description?: string; component?: string };

/** A request body or query that refuses unknown fields. */
export const Closed = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Text with at least one visible character. */
export const Text = (options: FieldCodes & { maxLength: number; description?: string }) =>
  Type.String({ minLength: 1, ...VISIBLE, ...options });

export const Nullable = <T extends TSchema>(schema: T, options: FieldCodes = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A moment. In the program it is a Date; in JSON it is RFC 3339 in UTC. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const NullableTimestamp = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });

/**
 * At most 20 string values, returned unchanged. This is not a Type.Record, because there names must match `^.*$`. A
 * name with a line break does not match, so its value would be accepted unchecked and left out of replies.
 */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Type.String({ maxLength: 500, ...STORABLE }),
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 40, ...STORABLE },
});

/** A filter by a phone number whose plus sign may be unencoded. */
export const FilterParty = Type.Optional(
  Type.String({ ...PARTY, plusMayBeSpace: true, description: 'E.164, a short code or "anonymous"' }),
);

/** A filter by a flag; the text `true` or `false` in the query. */
export const FilterFlag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The length of Node's longest request line. So an id of any length is looked up. */
export const ID_CHARS_MAX = 16 * 1024;

/** An id of any kind. The look-up checks it, so a malformed id of any length gets the not-found error. */
export const Id = Type.String({ minLength: 1, maxLength: ID_CHARS_MAX });

export const PAGE_ROWS_MAX = 100;
export const Limit = Type.Integer({ minimum: 1, maximum: PAGE_ROWS_MAX, default: 25 });
export const Cursor = Type.String({
  minLength: 1,
  maxLength: 500,
  errorCode: 'invalid_cursor',
  description: 'next_cursor of the page before, of the same list',
});
export const PageQuery = { limit: Type.Optional(Limit), after: Type.Optional(Cursor) };

/** A filter by the id of a resource that must exist. An id that cannot exist gets the not-found error too. */
export const FilterId = (unknownCode: ErrorCode) =>
  Type.Optional(Type.String({ ...Id, lengthCode: unknownCode, unknownCode }));

/**
 * The `maxLength` of a text whose length the operation checks itself, because its errors have a fixed order. The limit
 * of every operation is far lower.
 */
export const READ_CHARS_MAX = 8_192;

export const TenantQuery = { tenant_id: FilterId('tenant_not_found') };

const Moment = (errorCode: ErrorCode, end: string) =>
  Type.Optional(Type.String({ maxLength: 40, errorCode, description: `RFC 3339 or YYYY-MM-DD; ${end}` }));
export const RangeQuery = { start: Moment('invalid_start', 'included'), end: Moment('invalid_end', 'excluded') };

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item, { maxItems: PAGE_ROWS_MAX }),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  });

/** A list without pages, of at most `rowsMax` items. */
export const ListOf = <T extends TSchema>(item: T, rowsMax: number) =>
  Type.Object({ data: Type.Array(item, { maxItems: rowsMax }) });

/** The mistakes in a request. */
const FieldErrors = Type.Array(Type.Object({ param: Type.String(), code: Type.String(), message: Type.String() }), {
  maxItems: FIELDS_MAX,
  description: 'Of bad input: all mistakes that were found, the one in `param` first',
});

/** Why a checked request would be refused. */
export const CheckError = Type.Union([
  Type.Object({
    code: Type.Enum(PUBLIC_CODES),
    message: Type.String(),
    docs_url: Type.String(),
    param: Type.Optional(Type.String()),
    fields: Type.Optional(FieldErrors),
    request_id: Type.String(),
  }),
  Type.Null(),
]);

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      docs_url: Type.String(),
      param: Type.Optional(Type.String()),
      fields: Type.Optional(FieldErrors),
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
          { maxItems: SUGGESTIONS_MAX, description: 'Of e911_address_invalid: addresses that would be accepted' },
        ),
      ),
      phone_number_id: Type.Optional(
        Type.String({ description: 'Of carrier_assign_failed: the number that was bought without its campaign' }),
      ),
    }),
    request_id: Type.String({ description: 'The same' }),
  },
  { $id: 'Error' },
);

export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
