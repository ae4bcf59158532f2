/**
 * Waits until all promises have settled, then throws the first failure, if any. Unlike with `Promise.all`, no work is
 * still running when it throws.
 */
export async function allThenThrow(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
