/** One edit that breaks a guarantee, as a person in a hurry might make it. */
export type Mutation = {
  /** What the product guarantees, in words. It is broken by the edit. */
  readonly guarantee: string;
  readonly file: string;
  /** The exact text, which the file has once. */
  readonly from: string;
  readonly to: string;
  /** The test files of which one must fail. */
  readonly tests: readonly string[];
};
