/**
 * Makes JSON Schemas together with their types, in the form of TypeBox. It does not load TypeBox's own constructors:
 * their 670 modules took a quarter of a start and 10 MB.
 */
import type { TProperties, TSchema, Type as TypeBox } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

type Options = Readonly<Record<string, unknown>>;

/** Marks the schema of a field that may be absent. A copy of the schema loses the mark. */
const OPTIONAL = Symbol('optional');

const make =
  (keywords: Options) =>
  (options?: Options): Options => ({ ...keywords, ...options });

const constructors = {
  Array: (items: TSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: make({ type: 'boolean' }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: make({ type: 'integer' }),
  Literal: (value: string | number | boolean, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: make({ type: 'null' }),
  Number: make({ type: 'number' }),
  Object: (properties: TProperties, options?: Options) => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: make({ type: 'string' }),
  Union: (anyOf: readonly TSchema[], options?: Options) => ({ anyOf, ...options }),
  Unsafe: (schema: TSchema) => schema,
};

/** The constructors of TypeBox that are used here. */
export const Type = constructors as unknown as Pick<typeof TypeBox, keyof typeof constructors>;
