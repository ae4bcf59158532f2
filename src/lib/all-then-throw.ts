/**
 * Waits until all have settled, then throws the first failure if there is one: unlike `Promise.all`, nothing is still
 * under way when it throws.
 */
export async function allThenThrow(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
