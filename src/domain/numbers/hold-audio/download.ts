import type { Context } from '../../../context.ts';
import type { Mode } from '../../../lib/scope.ts';
import { monotonicMs } from '../../../lib/time/time.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import type { OutboundResponse } from '../../../outbound/exchange.ts';
import { toOutboundError } from '../../../outbound/outbound-error.ts';
import { FETCH_MS_MAX, FILE_BYTES_MAX, isPassing, isRedirect, REDIRECTS_MAX } from './rules.ts';

/**
 * The file, or a sentence for the customer that says why there is none. `mayPass`: another attempt may get the file.
 */
export type Download = { readonly file: Buffer } | { readonly problem: string; readonly mayPass: boolean };

type DownloadContext = Pick<Context, 'outbound' | 'settings'>;

/** Fetches a file from an address that a customer chose. Follows redirects, to addresses that the same rule allows. */
export async function download(
  context: DownloadContext,
  mode: Mode,
  address: string,
  fetchMsMax = FETCH_MS_MAX,
): Promise<Download> {
  const deadlineMs = monotonicMs() + fetchMsMax;
  let url = address;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const check = checkTargetUrl(url, { allowLocalHttp: mode === 'test' && context.settings.allowLocalWebhooks });
    if (!check.ok) return { problem: check.message, mayPass: false };
    const response = await request(context, mode, { url, timeoutMs: Math.max(1, deadlineMs - monotonicMs()) });
    if ('problem' in response) return response;
    const next = redirectOf(response, url);
    if (next === undefined) return fileOf(response);
    url = next;
  }
  return { problem: `The server redirected more than ${REDIRECTS_MAX} times.`, mayPass: false };
}

async function request(
  { outbound }: DownloadContext,
  mode: Mode,
  { url, timeoutMs }: { url: string; timeoutMs: number },
): Promise<OutboundResponse | Extract<Download, { problem: string }>> {
  try {
    return await outbound[mode].request({
      method: 'GET',
      url,
      headers: { Accept: 'audio/wav, audio/mpeg, audio/*;q=0.9, */*;q=0.1', 'User-Agent': 'Dialplane-Media/1' },
      timeoutMs,
      // A byte more than the limit shows that the file is too large.
      maxResponseBytes: FILE_BYTES_MAX + 1,
    });
  } catch (error) {
    const { kind, message } = toOutboundError(error);
    return { problem: message, mayPass: kind !== 'blocked_address' };
  }
}

/** Returns where a reply sends the client; undefined if it is no redirect. */
function redirectOf({ status, headers }: OutboundResponse, url: string): string | undefined {
  if (!isRedirect(status) || headers.location === undefined) return undefined;
  return URL.parse(headers.location, url)?.href ?? headers.location;
}

function fileOf({ status, body }: OutboundResponse): Download {
  if (status !== 200) return { problem: `The server answered with status ${status}.`, mayPass: isPassing(status) };
  if (body.length > FILE_BYTES_MAX) return { problem: 'The file is larger than 10 MB.', mayPass: false };
  return { file: body };
}
