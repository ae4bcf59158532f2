/** The events of an account as they happen, over the realtime socket. A closed socket is opened again. */
import { on, once } from 'node:events';
import { sleep } from '../../../lib/time/time.ts';
import { CommandError } from '../../command.ts';
import type { FeedEvent } from '../event-feed.ts';
import { API, callApi, type ServerAccess } from '../server-access.ts';

type RealtimeOptions = {
  readonly server: ServerAccess;
  readonly tenantId: string | undefined;
  readonly signal: AbortSignal;
  /** Called when a socket is open. Events before this moment are not sent. */
  onOpen(): Promise<void>;
  onEvent(event: FeedEvent): Promise<void>;
};

const RETRY_MS = 1_000;

/** Reads events until the signal ends it. Throws CommandError if the first socket cannot be opened. */
export async function readRealtime(options: RealtimeOptions): Promise<void> {
  await readOnce(options);
  while (!options.signal.aborted) {
    await sleep(RETRY_MS, { signal: options.signal }).catch(() => undefined);
    if (options.signal.aborted) return;
    await readOnce(options).catch((error: unknown) => {
      // The server does not answer. The loop tries again.
      if (!(error instanceof CommandError)) throw error;
    });
  }
}

async function readOnce({ server, tenantId, signal, onOpen, onEvent }: RealtimeOptions): Promise<void> {
  const path = `${API}/realtime/tokens`;
  const body = tenantId === undefined ? {} : { tenant_id: tenantId };
  const { token } = (await callApi<{ token: string }>(server, { method: 'POST', path, body })).body;
  const url = `${server.url.replace(/^http/, 'ws')}${API}/realtime`;
  const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
  const close = () => socket.close();
  signal.addEventListener('abort', close);
  try {
    const messages = on(socket, 'message', { close: ['close'] });
    const opened = await Promise.race([once(socket, 'open'), once(socket, 'close').then(() => undefined)]);
    if (opened === undefined) throw new CommandError(`${url} cannot be opened.`);
    await onOpen();
    for await (const [message] of messages) await onEvent(JSON.parse(String((message as MessageEvent).data)));
  } finally {
    signal.removeEventListener('abort', close);
    socket.close();
  }
}
