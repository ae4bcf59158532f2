import type { ErrorCode } from '../../../lib/errors.ts';

/** What the document says about an operation beside its schemas. */
export type OperationText = {
  /** What it does, and what happens next. */
  readonly description: string;
  /** Codes of its own. Those that follow from its schemas, its key and its method are added to them. */
  readonly errors?: readonly ErrorCode[];
  /** Types of the events that follow. */
  readonly events?: readonly string[];
};

/** By operationId. */
export type OperationTexts = Readonly<Record<string, OperationText>>;
