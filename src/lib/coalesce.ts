/**
 * Returns a function that runs `work` for many callers: at once or, while it runs, once more when it has ended. So
 * every caller gets a run that began after the call, runs never overlap, and a burst of calls costs two runs.
 * @returns a function whose promise resolves when no further run is wanted, and rejects with the error of a failed run
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWantedAgain = false;
  const runWhileWanted = async () => {
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
    if (running === undefined) running = runWhileWanted();
    else isWantedAgain = true;
    return running;
  };
}
