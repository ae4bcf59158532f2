import { convertAudioFile } from '../../../audio/files/convert-file.ts';
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { download } from './download.ts';
import { createFairQueue, createShares } from './turns.ts';

/** The requests for a file, redirects included. */
const REQUEST_MS_MAX = 10_000;

const conversions = createFairQueue();

/**
 * The audio (mu-law, 8 kHz, five minutes at most), a sentence with the reason for no audio, or the time of the next
 * try.
 */
export type FetchedAudio = { readonly audio: Uint8Array } | { readonly problem: string } | { readonly delayMs: number };

/**
 * Returns a function that fetches audio from a customer's address during a request, and converts it for phone lines.
 * @param shares the limits of concurrent fetches, of this process and of one ledger. A file has at most ten megabytes
 */
export function createAudioFetcher(shares: { readonly totalMax: number; readonly ledgerMax: number }) {
  const enterShare = createShares(shares);
  return async (
    context: Pick<Context, 'outbound' | 'settings'>,
    { ledgerId, mode }: Ledger,
    url: string,
  ): Promise<FetchedAudio> => {
    const share = enterShare(ledgerId);
    if ('delayMs' in share) return share;
    try {
      const result = await download(context, mode, url, REQUEST_MS_MAX);
      if ('problem' in result) return result;
      return await conversions.run(ledgerId, () => convertAudioFile(result.file));
    } finally {
      share.end();
    }
  };
}

/** Fetches audio within a request. */
export const fetchAudio = createAudioFetcher({ totalMax: 8, ledgerMax: 2 });
