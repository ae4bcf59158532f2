/**
 * What an ordinary request meets at the address of a WebSocket. Handshakes do not come here: whoever serves the sockets
 * takes them before any route does (`upgrades.ts`).
 */
import { ApiError } from '../../lib/errors.ts';
import type { RoutePlugin } from '../edge/types.ts';

/** Below /v1. Ingest is where carriers that push bring a call's audio. */
const ADDRESSES = [
  '/realtime',
  '/softphone',
  '/softphone/audio',
  '/softphone/audio/:node_id',
  '/streams/:node_id/:stream_id',
  '/ingest/:stream_id',
  '/ingest/:node_id/:stream_id',
];

export const webSocketRoutes: RoutePlugin = (api) => {
  for (const address of ADDRESSES) {
    api.get(address, { config: { public: true }, schema: { hide: true } }, (_request, reply) => {
      // RFC 9110, 15.5.22: the reply names what to change to.
      reply.headers({ upgrade: 'websocket', connection: 'upgrade' });
      throw new ApiError('upgrade_required');
    });
  }
};
