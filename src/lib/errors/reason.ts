/** Returns the message of an error, or any other thrown value as text. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
