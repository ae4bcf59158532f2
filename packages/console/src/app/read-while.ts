import { useEffect } from 'react';

const EVERY_MS = 2_000;

/** Reads a list again at intervals while its work continues. For work without events. */
export function useReadWhile(isRunning: boolean, reload: () => void): void {
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
}
