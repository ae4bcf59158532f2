/** An edit that breaks a guarantee, as a person in a hurry might make it. */
export type Mutation = {
  /** The guarantee of the product, in words. The edit breaks it. */
  readonly guarantee: string;
  readonly file: string;
  /** The exact text, which the file has once. */
  readonly from: string;
  readonly to: string;
  /** At least one of these test files must fail. */
  readonly tests: readonly string[];
};

/** Returns the text of the file with the edit. Throws if the file does not have the text once. */
export function edited(text: string, { file, from, to, guarantee }: Mutation): string {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`"${guarantee}": ${file} has the text ${found} times:\n${from}`);
  return text.replace(from, () => to);
}
