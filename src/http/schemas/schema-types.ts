import type { ErrorCode } from '../../lib/errors/errors.ts';

/** A schema as routes declare it. It has the keywords that `judge.ts` judges, and keywords for refusals and readers. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  /** Shapes that the field `discriminator` distinguishes. */
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: unknown;
  /** In a query, a space before a number is read as the plus sign that was meant. */
  readonly plusMayBeSpace?: boolean;
  /** The field is required unless the other field has this value. */
  readonly requiredUnless?: { readonly field: string; readonly value: string };
  /** The pattern in words. */
  readonly form?: string;
  readonly errorCode?: ErrorCode;
  readonly missingCode?: ErrorCode;
  readonly lengthCode?: ErrorCode;
  readonly unknownCode?: ErrorCode;
};

/** A keyword of a schema that a value does not fulfil. */
export type Failure = {
  readonly keyword: string;
  /** The names and positions that lead from the judged value to the wrong one. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly value: unknown;
  /** Details of the failure. They depend on the keyword: the limit, the missing or unknown field, and so on. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The name of the field, if the name itself is wrong. */
  readonly propertyName?: string;
};

/** Reports whether a value counts as absent: null, or text without a visible character. */
export function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}
