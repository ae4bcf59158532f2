import type { Settings } from '../../../context.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkSocketUrl } from '../../../outbound/address-guard.ts';
import type { StartStream } from './schema.ts';

/** Checks that a gateway may connect to the address of a stream for this ledger. Error: invalid_url. */
export function checkStream(
  settings: Pick<Settings, 'allowLocalWebhooks'>,
  { mode }: Pick<Ledger, 'mode'>,
  { connect_url: url }: Pick<StartStream, 'connect_url'>,
): void {
  if (url === undefined) return;
  const check = checkSocketUrl(url, { allowLocalWs: mode === 'test' && settings.allowLocalWebhooks });
  if (!check.ok) throw new ApiError('invalid_url', { param: 'connect_url', message: check.message });
}
