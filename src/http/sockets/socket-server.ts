/** WebSocket servers that share the port of the API: `upgrades.ts` hands them their handshakes. */
import { WebSocketServer } from 'ws';

/** How long a closing handshake may take before the connection is cut. */
const CLOSING_MS = 5_000;
const SHUTDOWN_MS = 2_000;

/** Without compression: what goes over these sockets is small or does not compress. */
export function createSocketServer(messageBytesMax: number): WebSocketServer {
  // `closeTimeout` is an option that the library's types do not have yet.
  const closing = { closeTimeout: CLOSING_MS };
  return new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytesMax, ...closing });
}

/** Tells every client why it has to go, and resolves when all are gone, within 2 s. */
export async function closeSocketServer(
  webSockets: WebSocketServer,
  reason: readonly [code: number, text: string],
): Promise<void> {
  for (const webSocket of webSockets.clients) webSocket.close(...reason);
  const deadline = setTimeout(() => {
    for (const webSocket of webSockets.clients) webSocket.terminate();
  }, SHUTDOWN_MS);
  await new Promise<void>((resolve) => webSockets.close(() => resolve()));
  clearTimeout(deadline);
}
