import type { ErrorCode } from '../../../lib/errors/errors.ts';

/** The document's text about an operation, in addition to its schemas. */
export type OperationText = {
  /** The effect of the operation, and the next steps. */
  readonly description: string;
  /** Its specific error codes. The codes that follow from its schemas, its key and its method are added. */
  readonly errors?: readonly ErrorCode[];
  /** Types of the events that follow. */
  readonly events?: readonly string[];
};

/** By operationId. */
export type OperationTexts = Readonly<Record<string, OperationText>>;
