/**
 * Makes of `work` something that many may ask for: it runs at once or, while it is running, once more as soon as it has
 * ended. So everybody gets a run that began after he asked, two never overlap, and a burst of questions costs two runs.
 * @returns resolves when no run is wanted any more; rejects as the run that failed does
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWantedAgain = false;
  const runUntilQuiet = async () => {
    try {
      do {
        isWantedAgain = false;
        await work();
      } while (isWantedAgain);
    } finally {
      running = undefined;
    }
  };
  return () => {
    if (running === undefined) running = runUntilQuiet();
    else isWantedAgain = true;
    return running;
  };
}
