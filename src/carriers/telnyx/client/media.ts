/** Fetches files from Telnyx: media of texts, and recordings. Telnyx gives their addresses, which need no key. */

import { readBounded } from '../../../lib/http/bounded-body.ts';
import { Agent, request } from '../../../lib/http/undici.ts';
import { createGuardedConnector } from '../../../outbound/connector.ts';
import type { FetchedMedia } from '../../ports/messaging.ts';
import { requestSignalWithin } from '../../ports/request-signal.ts';

/** Why there is no file: it is gone, or longer than `bytesMax`. */
export type NoFile = 'gone' | 'too_long';

/** Returns a file. Throws if it cannot be fetched now. */
export type MediaFetcher = (address: string, bytesMax?: number) => Promise<FetchedMedia | NoFile>;

const CONNECT_MS = 5_000;
const FETCH_MS = 60_000;
const CONNECTION_AGE_MS = 120_000;
const BYTES_MAX = 16 * 1024 * 1024;

/** @param allowLoopback true if Telnyx runs on this machine, as in tests */
export function createMediaFetcher({ allowLoopback }: { allowLoopback: boolean }) {
  const connect = createGuardedConnector({
    allowLoopback,
    connectTimeoutMs: CONNECT_MS,
    maxConnectionAgeMs: CONNECTION_AGE_MS,
  });
  const dispatcher = new Agent({ connect });
  const fetchMedia: MediaFetcher = async (address, bytesMax = BYTES_MAX) => {
    const signal = requestSignalWithin(FETCH_MS);
    const { statusCode, headers, body } = await request(address, { dispatcher, signal });
    if (statusCode === 403 || statusCode === 404 || statusCode === 410) {
      await body.dump();
      return 'gone';
    }
    if (statusCode !== 200) throw new Error(`a file of Telnyx was answered with ${statusCode}`);
    const bytes = await readBounded(body, bytesMax);
    const contentType = headers['content-type'];
    if (bytes === undefined) return 'too_long';
    return { bytes, contentType: typeof contentType === 'string' ? contentType : null };
  };
  return { fetchMedia, close: () => dispatcher.destroy() };
}
