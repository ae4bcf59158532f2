/**
 * Returns a function that runs `work` for many callers. An idle `work` runs at once. A running `work` runs once more
 * after its end, for all calls that came while it ran. So every caller gets a run that began after the call, runs never
 * overlap, and a burst of calls costs two runs.
 * @returns a function whose promise settles with the first run that began after the call
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    const run = work().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running.then(start, start);
    return next;
  };
}
