/** One edit that breaks a guarantee, as a person in a hurry might make it. */
export type Mutation = {
  /** The guarantee of the product, in words. The edit breaks it. */
  readonly guarantee: string;
  readonly file: string;
  /** The exact text, which the file has once. */
  readonly from: string;
  readonly to: string;
  /** One of these test files must fail. */
  readonly tests: readonly string[];
};
