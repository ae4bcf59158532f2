import type { ErrorCode } from '../../../lib/errors/errors.ts';

/** The document's text about one operation. The schemas have separate descriptions. */
export type OperationText = {
  /** The effect of the operation, and the next steps. */
  readonly description: string;
  /**
   * The specific error codes of the operation. The codes that follow from its schemas, its key and its method are added
   * automatically.
   */
  readonly errors?: readonly ErrorCode[];
  /** Types of the events that the operation causes. */
  readonly events?: readonly string[];
};

/** By operationId. */
export type OperationTexts = Readonly<Record<string, OperationText>>;
