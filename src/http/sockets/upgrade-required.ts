/** The reply to an ordinary request at the address of a WebSocket. Handshakes never reach these routes. */
import { ApiError } from '../../lib/errors/errors.ts';
import type { RoutePlugin } from '../edge/types.ts';

/** Paths below /v1. Carriers that push a call's audio connect to an ingest address. */
const ADDRESSES = [
  '/realtime',
  '/softphone',
  '/softphone/audio',
  '/softphone/audio/:node_id',
  '/streams/:node_id/:stream_id',
  '/ingest',
];

export const upgradeRequiredRoutes: RoutePlugin = (api) => {
  for (const address of ADDRESSES) {
    api.get(address, { config: { public: true }, schema: { hide: true } }, (_request, reply) => {
      // RFC 9110, 15.5.22: the reply names the protocol that the client must change to.
      reply.headers({ upgrade: 'websocket', connection: 'upgrade' });
      throw new ApiError('upgrade_required');
    });
  }
};
