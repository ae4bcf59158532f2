import { createHash } from 'node:crypto';

export const URL_CHARS_MAX = 2048;
/** Maximum characters of the reason why there is no audio. */
export const ERROR_CHARS_MAX = 300;
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

export const HOLD_AUDIO_STATUSES = ['pending', 'ready', 'failed'] as const;

/** Maximum time of all requests for a file together. */
export const FETCH_MS_MAX = 60_000;
export const REDIRECTS_MAX = 3;

/** Ledger time from one attempt to the next. If the last attempt fails, the file has failed. */
const RETRIES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;

/** Returns the delay from this attempt to the next one; undefined if there is none. The first attempt is 1. */
export function retryMs(attempt: number): number | undefined {
  return RETRIES_MS[attempt - 1];
}

/** Returns the id of the audio at an address, the same for all configs of a ledger that name it. */
export function holdAudioId(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** Returns true if another attempt may get a different status. */
export function isPassing(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
