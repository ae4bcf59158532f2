import { convertAudioFile } from '../../../audio/files/convert-file.ts';
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { download } from './download.ts';
import { createFairQueue, createShares } from './turns.ts';

/** A request waits for the file. */
const REQUEST_MS_MAX = 10_000;

/** Requests of this process that fetch at a time. Each has a file of ten megabytes at most. */
const enterShare = createShares({ totalMax: 8, ledgerMax: 2 });
const conversions = createFairQueue();

/** The audio (mu-law, 8 kHz, five minutes at most), a sentence that says why there is none, or when to ask again. */
export type FetchedAudio = { readonly audio: Uint8Array } | { readonly problem: string } | { readonly delayMs: number };

/** Fetches audio from an address that a customer chose, within a request, and converts it for phone lines. */
export async function fetchAudio(
  context: Pick<Context, 'outbound' | 'settings'>,
  { ledgerId, mode }: Ledger,
  url: string,
): Promise<FetchedAudio> {
  const share = enterShare(ledgerId);
  if ('delayMs' in share) return share;
  try {
    const result = await download(context, mode, url, REQUEST_MS_MAX);
    if ('problem' in result) return result;
    return await conversions.run(ledgerId, () => convertAudioFile(result.file));
  } finally {
    share.end();
  }
}
