/** Fetches the media of inbound texts. Their addresses come with a signed report, and need no key. */
import { Agent, request } from 'undici';
import { readBounded } from '../../lib/bounded-body.ts';
import { createGuardedConnector } from '../../outbound/connector.ts';
import type { FetchedMedia } from '../ports/messaging.ts';
import { requestSignalWithin } from '../ports/request-signal.ts';

/** Returns a file; undefined if it is gone. Throws if it cannot be fetched now. */
export type MediaFetcher = (address: string) => Promise<FetchedMedia | undefined>;

const CONNECT_MS = 5_000;
const FETCH_MS = 60_000;
const CONNECTION_AGE_MS = 120_000;
const BYTES_MAX = 16 * 1024 * 1024;

/** @param allowLoopback true for a Telnyx on this machine, as in tests */
export function createMediaFetcher({ allowLoopback }: { allowLoopback: boolean }) {
  const connect = createGuardedConnector({
    allowLoopback,
    connectTimeoutMs: CONNECT_MS,
    maxConnectionAgeMs: CONNECTION_AGE_MS,
  });
  const dispatcher = new Agent({ connect });
  const fetchMedia: MediaFetcher = async (address) => {
    const signal = requestSignalWithin(FETCH_MS);
    const { statusCode, headers, body } = await request(address, { dispatcher, signal });
    if (statusCode === 403 || statusCode === 404 || statusCode === 410) {
      await body.dump();
      return undefined;
    }
    if (statusCode !== 200) throw new Error(`the media of a text was answered with ${statusCode}`);
    const bytes = await readBounded(body, BYTES_MAX);
    const contentType = headers['content-type'];
    return bytes && { bytes, contentType: typeof contentType === 'string' ? contentType : null };
  };
  return { fetchMedia, close: () => dispatcher.destroy() };
}
