/** One web client that is logged in: what its socket says is done, and what becomes of its calls is told. */
import type { WebSocket } from 'ws';
import type { WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import type { WebClientSession } from '../../domain/voice/index.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioDoor } from './audio-authorizer.ts';
import { createWebClientView } from './call-view.ts';
import { place } from './dial.ts';
import type { Pace } from './pace.ts';
import { CLOSE, type ClientMessage, type CloseReason, type ServerMessage } from './protocol.ts';
import { askedBy, refusalOf, tooMany } from './refusal.ts';
import { createRequests, type Request } from './requests.ts';
import { say, sayIfRead } from './say.ts';

export type WebClientContext = Pick<Context, 'db' | 'carriers' | 'log' | 'clock'>;

export type WebClientOptions = {
  readonly webSocket: WebSocket;
  readonly session: WebClientSession;
  readonly ledger: Ledger;
  readonly tenantId: string;
  /** Undefined where the ledger's carrier rings no web clients. */
  readonly port: WebClientPort | undefined;
  readonly audio: AudioDoor | undefined;
  readonly pace: Pace;
  readonly expiresAtMs: number;
};

export type WebClient = {
  readonly session: WebClientSession;
  /** Says that the web client is registered, and what calls it is on. */
  welcome(): Promise<void>;
  /** Looks at the web client's legs again, now or as soon as the look that is under way has ended. */
  look(): void;
  /** Does what the client asks, one message after the other; a call for help at once. */
  take(message: ClientMessage): void;
  /** True once the session's time is over and the web client is on no call. */
  isExpired(): boolean;
  close(reason: CloseReason): void;
  /** The web client was revoked: closes, does nothing more that was asked for, and ends the web client's legs. */
  revoke(): Promise<void>;
};

export function createWebClient(context: WebClientContext, options: WebClientOptions): WebClient {
  const { webSocket, session, ledger, tenantId, port, audio, pace, expiresAtMs } = options;
  const { log, clock } = context;
  const { webClientId } = session;
  /** Nothing is told before `registered`. */
  let isWelcome = false;
  let isRevoked = false;

  const send = (message: ServerMessage) => say(webSocket, message);
  const isOpen = () => webSocket.readyState === webSocket.OPEN;
  const view = createWebClientView(context, { webClient: session, ledger, port, audio, send, isOpen });

  const act = async (request: Request): Promise<void> => {
    if (isRevoked) throw new ApiError('web_client_not_found');
    if (port === undefined) throw new ApiError('carrier_unavailable');
    if (request.type === 'place') return place(context, { webClient: session, ledger, tenantId, port, view }, request);
    if (request.type === 'media') return view.inviteAgain(request.call_id);
    const leg = await view.legOf(request.call_id);
    switch (request.type) {
      case 'answer':
        return mustBe(await port.answer(ledger, leg));
      case 'decline':
      case 'hang_up':
        return mustBe(await port.hangUp(ledger, leg));
      case 'dtmf':
        return mustBe(await port.sendDigits(ledger, leg, request.digits));
      case 'mute':
      case 'hold':
        audio?.set(leg.legId, { [request.type]: request.on });
    }
  };

  const refuse = (request: Request, error: unknown) => {
    const refusal = refusalOf(askedBy(request), error);
    const { code } = refusal;
    if (code === 'internal_error')
      log.error({ err: error, web_client: webClientId }, 'a request of a web client failed');
    send(refusal);
  };

  const requests = createRequests({
    run: (request) => act(request).catch((error: unknown) => refuse(request, error)),
    onFull: (isFull) => pace.hold('help', isFull),
  });

  return {
    session,
    welcome: async () => {
      const expires_at = new Date(expiresAtMs).toISOString();
      send({ type: 'registered', web_client_id: webClientId, expires_at, call_ids: await view.callIds() });
      isWelcome = true;
      void view.look();
    },
    look: () => {
      if (isWelcome) void view.look();
    },
    take: (message) => {
      // A second login on the socket means nothing.
      if (message.type === 'register' || requests.take(message)) return;
      sayIfRead(webSocket, refusalOf(askedBy(message), tooMany()));
    },
    isExpired: () => clock.now() >= expiresAtMs && view.isIdle,
    close: (reason) => webSocket.close(...reason),
    revoke: async () => {
      isRevoked = true;
      webSocket.close(...CLOSE.revoked);
      await port?.endLegs(ledger, webClientId);
    },
  };
}

function mustBe(done: boolean): void {
  if (!done) throw new ApiError('call_not_active');
}
