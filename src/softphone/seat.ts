/** One seat that is logged in: what its socket says is done, and what becomes of its calls is told. */
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { SeatSession } from '../domain/voice/index.ts';
import { ApiError } from '../lib/errors.ts';
import type { Ledger } from '../lib/scope.ts';
import type { AudioDoor } from './audio-door.ts';
import { place } from './place.ts';
import { CLOSE, type ClientMessage, type CloseReason, type ServerMessage } from './protocol.ts';
import { callsForHelp, createRequests, type Request } from './requests.ts';
import { say } from './say.ts';
import { SeatError } from './seat-error.ts';
import type { SeatLines } from './seat-lines.ts';
import { createSeatView } from './seat-view.ts';

export type SeatContext = Pick<Context, 'db' | 'carriers' | 'log' | 'clock'>;

export type SeatOptions = {
  readonly webSocket: WebSocket;
  readonly session: SeatSession;
  readonly ledger: Ledger;
  readonly tenantId: string;
  /** Undefined where the ledger's carrier rings no seats. */
  readonly lines: SeatLines | undefined;
  readonly audio: AudioDoor | undefined;
  readonly expiresAtMs: number;
};

export type Seat = {
  readonly session: SeatSession;
  /** Says that the seat is registered, and what calls it is on. */
  welcome(): Promise<void>;
  /** Looks at the seat's legs again, now or as soon as the look that is under way has ended. */
  look(): void;
  /** Does what the client asks, one message after the other; a call for help at once. */
  take(message: ClientMessage): void;
  /** True once the session's time is over and the seat is on no call. */
  isExpired(): boolean;
  close(reason: CloseReason): void;
};

export function createSeat(context: SeatContext, options: SeatOptions): Seat {
  const { webSocket, session, ledger, tenantId, lines, audio, expiresAtMs } = options;
  const { log, clock } = context;
  const { webClientId } = session;
  /** Nothing is told before `registered`. */
  let isWelcome = false;

  const send = (message: ServerMessage) => say(webSocket, message);
  const isOpen = () => webSocket.readyState === webSocket.OPEN;
  const view = createSeatView(context, { seat: session, ledger, lines, audio, send, isOpen });

  const act = async (request: Request): Promise<void> => {
    if (lines === undefined) throw new ApiError('carrier_unavailable');
    if (request.type === 'place') return place(context, { seat: session, ledger, tenantId, lines, view }, request);
    if (request.type === 'media') return view.inviteAgain(request.call_id);
    const leg = await view.legOf(request.call_id);
    switch (request.type) {
      case 'answer':
        return mustBe(await lines.answer(ledger, leg));
      case 'decline':
      case 'hang_up':
        return mustBe(await lines.hangUp(ledger, leg));
      case 'dtmf':
        return mustBe(await lines.press(ledger, leg, request.digits));
      case 'mute':
      case 'hold':
        audio?.set(leg.legId, { [request.type]: request.on });
    }
  };

  const refuse = (request: Request, error: unknown) => {
    const { code, message } = describe(error);
    if (code === 'internal_error') log.error({ err: error, web_client: webClientId }, 'a request of a seat failed');
    const call = 'call_id' in request ? { call_id: request.call_id } : {};
    const ref = request.type === 'place' && request.ref !== undefined ? { ref: request.ref } : {};
    send({ type: 'error', code, message, request: request.type, ...call, ...ref });
  };

  const requests = createRequests((request) => act(request).catch((error: unknown) => refuse(request, error)));

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
      // Who calls for help is not put off the line, however often he does.
      if (callsForHelp(message)) refuse(message, new ApiError('rate_limited'));
      else webSocket.close(...CLOSE.tooMany);
    },
    isExpired: () => clock.now() >= expiresAtMs && view.isIdle,
    close: (reason) => webSocket.close(...reason),
  };
}

function mustBe(done: boolean): void {
  if (!done) throw new ApiError('call_not_active');
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof ApiError || error instanceof SeatError) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'Something went wrong on our side.' };
}
