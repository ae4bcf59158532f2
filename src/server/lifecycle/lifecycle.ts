/** The stop of a product. It announces the stop, accepts no more traffic, waits for its audio, and closes. */
import { once } from 'node:events';
import type { ConnectionDirectory } from '../../carriers/connections/directory.ts';
import type { Context } from '../../context.ts';
import type { RequestRecorder } from '../../domain/audit/index.ts';
import type { Softphone } from '../../gateway/web-client/attach-signalling.ts';
import type { Api } from '../../http/edge/types.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { after, every, sleep } from '../../lib/time/time.ts';
import type { Workers } from '../../queue/worker/workers.ts';
import type { Realtime } from '../../realtime/attach-realtime.ts';
import type { Figures } from '../metrics/figures.ts';
import type { GatewayNode } from '../parts/open-gateway.ts';

/** How long requests and handlers may take to finish after the stop has begun. The process has 10 s for all of it. */
const FINISH_WITHIN_MS = 7_000;

/** After this time, a stop does not wait for a database that does not answer. */
const CUT_AFTER_MS = 8_000;

/**
 * How long a process that leaves service may take to announce this to the other processes. The announcement needs the
 * database.
 */
const TELL_WITHIN_MS = 2_000;

const REAP_EVERY_MS = 50;
const TELL_EVERY_MS = 30_000;

/** The open parts of a product, and its phase. */
export type ProductState = {
  phase: 'starting' | 'serving' | 'stopping';
  readonly sockets: { close(): Promise<void> }[];
  realtime?: Realtime | undefined;
  softphone?: Softphone;
  gateway?: GatewayNode;
  /** Resolves when the server has closed all its connections. Undefined while the server listens. */
  serverClosed?: Promise<unknown>;
};

type Parts = {
  readonly context: Context;
  readonly app: Api;
  readonly workers: Workers;
  readonly figures: Figures;
  readonly recorder: RequestRecorder;
};

/** Returns why the process takes no traffic, for /readyz. */
export function phaseProblem({ phase }: ProductState): string | undefined {
  if (phase === 'starting') return 'starting';
  return phase === 'stopping' ? 'shutting down' : undefined;
}

/**
 * Takes the process out of service. From now on it is not ready, and each reply closes its connection. It still accepts
 * connections for `lameDuckMs`, so that balancers can notice. Then it closes the listener, idle connections and the
 * realtime sockets. Calls with audio on this node continue. So does the signalling of their web clients.
 */
export async function leaveService(state: ProductState, parts: Parts, lameDuckMs: number): Promise<void> {
  state.phase = 'stopping';
  const { log } = parts.context;
  if (state.gateway !== undefined) await endsWithin(state.gateway.announceDrain(), TELL_WITHIN_MS);
  if (lameDuckMs > 0) {
    log.info({ lame_duck_ms: lameDuckMs }, 'not ready; new connections are accepted until balancers notice');
    await sleep(lameDuckMs);
  }
  stopListening(state, parts.app);
  const { realtime } = state;
  state.realtime = undefined;
  await realtime?.close();
}

/** Closes the listener and idle connections. Running requests continue. */
function stopListening(state: ProductState, { server }: Api): void {
  if (state.serverClosed !== undefined || !server.listening) return;
  state.serverClosed = once(server, 'close');
  server.close();
  // A connection becomes idle when its reply is sent.
  const reaper = every(REAP_EVERY_MS, () => server.closeIdleConnections()).unref();
  void state.serverClosed.then(() => reaper.cancel());
}

/** Waits at most `drainMs` for the audio on this node to end. Logs the remaining load. */
export async function drainAudio(
  { gateway }: { readonly gateway?: Pick<GatewayNode, 'load' | 'drain'> },
  log: Context['log'],
  drainMs: number,
): Promise<void> {
  if (gateway === undefined) return;
  const report = (message: string) => log.info({ ...gateway.load() }, message);
  report('waiting for the audio of running calls');
  const timer = every(TELL_EVERY_MS, () => report('still waiting for the audio of running calls'));
  try {
    await gateway.drain(drainMs);
  } finally {
    timer.cancel();
  }
  report('the audio of this node has ended');
}

/**
 * Ends sockets, requests and workers, then connections. Takes at most about 9 s, even if work still runs or the
 * database does not answer.
 */
export async function closeProduct(
  state: ProductState,
  parts: Parts & { readonly connections: Pick<ConnectionDirectory, 'close'> },
): Promise<void> {
  const { db, log } = parts.context;
  const cut = after(CUT_AFTER_MS, () => {
    log.warn('the stop does not wait any longer for the database');
    db.cut();
  });
  try {
    await parts.connections.close();
    await endProduct(state, parts);
  } finally {
    cut.cancel();
  }
}

async function endProduct(state: ProductState, { context, app, workers, figures, recorder }: Parts): Promise<void> {
  state.phase = 'stopping';
  figures.stop();
  // The parts stop concurrently, so the whole stop takes as much time as the slowest part.
  const sockets = state.realtime === undefined ? state.sockets : [state.realtime, ...state.sockets];
  const closing = sockets.map((socket) => socket.close());
  await Promise.all([...closing, finishRequests(state, app), workers.stop({ deadlineMs: FINISH_WITHIN_MS })]);
  await recorder.close();
  // This also ends deliveries that still run. Their leases are lost, and another process repeats them.
  await Promise.all([context.outbound.live.destroy(), context.outbound.test.destroy()]);
  await context.bus.close();
  await context.db.close();
}

/** Refuses connections, and waits for running requests. Closes all connections at the time limit. */
async function finishRequests(state: ProductState, app: Api): Promise<void> {
  stopListening(state, app);
  const cut = after(FINISH_WITHIN_MS, () => app.server.closeAllConnections());
  await state.serverClosed;
  await app.close();
  cut.cancel();
}
