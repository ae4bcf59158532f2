import type { Logger } from 'pino';
import type { ConnectionDirectory } from '../../carriers/connections/directory.ts';
import type { KeyDirectory } from '../../http/edge/authenticate.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';

type Parts = {
  readonly keys: Pick<KeyDirectory, 'onEnded'>;
  readonly connections: Pick<ConnectionDirectory, 'refresh'>;
  readonly log: Logger;
};

/**
 * Reads the connections to carriers again when a message says that all cached keys are outdated. This is sent when an
 * account has moved. Its connections may have moved with it.
 */
export function followMoves({ keys, connections, log }: Parts): void {
  keys.onEnded((hash) => {
    if (hash.length === 0) ignoreError(connections.refresh(), log, 'connections are read again within seconds');
  });
}
