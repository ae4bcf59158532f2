/**
 * Bounds the open connections of a server, including WebSockets: in all, and for each address. Of an IPv6 address, the
 * first 64 bits count. A connection beyond a bound is closed before anything is read from it.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { networkOf } from '../../lib/http/client-network.ts';
import { monotonicMs } from '../../lib/time/time.ts';

export type OpenConnectionLimits = {
  readonly totalMax: number;
  readonly perAddressMax: number;
};

/** Pause between two log lines about refused connections. */
const WARN_EVERY_MS = 60_000;

export function limitOpenConnections(
  server: Server,
  { totalMax, perAddressMax }: OpenConnectionLimits,
  log: Pick<Logger, 'warn'>,
): void {
  const ofAddress = new Map<string, number>();
  let total = 0;
  let warnedAtMs = Number.NEGATIVE_INFINITY;

  const warn = (fields: object, text: string) => {
    if (monotonicMs() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = monotonicMs();
    log.warn(fields, text);
  };

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const open = ofAddress.get(network) ?? 0;
    if (total >= totalMax) {
      warn({ open: total }, 'connection refused: the process has as many as DIALPLANE_CONNECTIONS allows');
      return void socket.destroy();
    }
    if (open >= perAddressMax) {
      warn(
        { open },
        'connection refused: its address has as many as DIALPLANE_ADDRESS_CONNECTIONS allows; behind a proxy set DIALPLANE_TRUSTED_PROXIES',
      );
      return void socket.destroy();
    }
    total += 1;
    ofAddress.set(network, open + 1);
    socket.once('close', () => {
      total -= 1;
      const left = (ofAddress.get(network) ?? 1) - 1;
      if (left === 0) ofAddress.delete(network);
      else ofAddress.set(network, left);
    });
  });
}
