/** One seat that is logged in: what its socket says is done, and what becomes of its calls is told. */
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import { findAccount } from '../domain/accounts/index.ts';
import { findCall, placeSeatCall, type SeatSession } from '../domain/voice/index.ts';
import { isEmergencyNumber } from '../lib/emergency.ts';
import { ApiError } from '../lib/errors.ts';
import type { Ledger } from '../lib/scope.ts';
import type { AudioDoor } from './audio-door.ts';
import type { ClientMessage, CloseReason, SeatCallView, ServerMessage } from './protocol.ts';
import type { SeatLines } from './seat-lines.ts';
import { compare, type News, type Told } from './told.ts';

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
  /** Does what the client asks, one message after the other. */
  take(message: ClientMessage): void;
  /** True once the session's time is over and the seat is on no call. */
  isExpired(): boolean;
  close(reason: CloseReason): void;
};

/** Failures that a request meets beside those of the API. */
class SeatError extends Error {
  override name = 'SeatError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Request = Exclude<ClientMessage, { type: 'register' }>;

export function createSeat(context: SeatContext, options: SeatOptions): Seat {
  const { webSocket, session, ledger, tenantId, lines, audio, expiresAtMs } = options;
  const { db, log, clock } = context;
  const { webClientId } = session;
  let told: ReadonlyMap<string, Told> = new Map();
  /** The `ref` of the message that placed a call, until the call is shown. */
  const refs = new Map<string, string>();
  let looking: Promise<void> | undefined;
  let again = false;
  /** Nothing is told before `registered`. */
  let isWelcome = false;
  let requests: Promise<void> = Promise.resolve();

  const send = (message: ServerMessage) => {
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message));
  };

  const viewOf = async (callId: string): Promise<SeatCallView> => {
    const call = await findCall(db, ledger, callId);
    return { call_id: callId, direction: call?.direction ?? 'inbound', from: call?.from ?? '', to: call?.to ?? '' };
  };

  const tell = async (item: News): Promise<void> => {
    const { callId: call_id } = item.leg;
    switch (item.say) {
      case 'incoming':
        return send({ type: 'incoming', ...(await viewOf(call_id)) });
      case 'dialing': {
        const ref = refs.get(call_id);
        refs.delete(call_id);
        return send({ type: 'dialing', ...(await viewOf(call_id)), ...(ref !== undefined && { ref }) });
      }
      case 'media':
        if (audio !== undefined) send({ type: 'media', call_id, ...audio.invite(session, item.leg) });
        return;
      case 'ended': {
        const outcome = (await findCall(db, ledger, call_id))?.outcome ?? null;
        return send({ type: 'ended', call_id, reason: item.reason, outcome });
      }
      default:
        return send({ type: item.say, call_id });
    }
  };

  const lookOnce = async () => {
    const legs = (await lines?.list(ledger, webClientId, [...told.keys()])) ?? [];
    const compared = compare(told, legs);
    told = compared.told;
    for (const item of compared.news) await tell(item);
  };

  const callIds = async (): Promise<string[]> => {
    const legs = (await lines?.list(ledger, webClientId, [])) ?? [];
    return legs.map(({ callId }) => callId);
  };

  const lookUntilQuiet = async () => {
    do {
      again = false;
      try {
        await lookOnce();
      } catch (error) {
        // The next signal or heartbeat looks again; what was not told is still to be told then, or was lost with it.
        log.warn({ err: error, web_client: webClientId }, "a seat's calls could not be read");
      }
    } while (again);
    looking = undefined;
  };

  const look = (): Promise<void> => {
    if (looking === undefined) looking = lookUntilQuiet();
    else again = true;
    return looking;
  };

  const legOf = async (callId: string): Promise<{ callId: string; legId: string }> => {
    const find = () => [...told].find(([, { callId: of }]) => of === callId)?.[0];
    if (find() === undefined) await look();
    const legId = find();
    if (legId === undefined) throw new ApiError('call_not_found', { param: 'call_id' });
    return { callId, legId };
  };

  const place = async ({ to, from, ref }: Extract<Request, { type: 'place' }>): Promise<void> => {
    if (lines === undefined) throw new ApiError('carrier_unavailable');
    if (!isEmergencyNumber(to)) {
      await requireActiveAccount(context, ledger);
      if (told.size > 0) throw new SeatError('seat_busy', 'This seat is on a call already.');
    }
    const seat = { id: webClientId, tenantId };
    const placed = await db.transaction(async (tx) => {
      const begun = await placeSeatCall(context, tx, ledger, { seat, to, from });
      const { callId, legId } = begun;
      await lines.book(tx, ledger, { callId, legId, webClientId, from: begun.from, to });
      return begun;
    });
    if (ref !== undefined) refs.set(placed.callId, ref);
    await look();
  };

  const act = async (request: Request): Promise<void> => {
    if (request.type === 'place') return place(request);
    if (lines === undefined) throw new ApiError('carrier_unavailable');
    const leg = await legOf(request.call_id);
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

  const run = async (request: Request): Promise<void> => {
    try {
      await act(request);
    } catch (error) {
      const { code, message } = describe(error);
      if (code === 'internal_error') log.error({ err: error, web_client: webClientId }, 'a request of a seat failed');
      const call = 'call_id' in request ? { call_id: request.call_id } : {};
      const ref = request.type === 'place' && request.ref !== undefined ? { ref: request.ref } : {};
      send({ type: 'error', code, message, request: request.type, ...call, ...ref });
    }
  };

  return {
    session,
    welcome: async () => {
      const expires_at = new Date(expiresAtMs).toISOString();
      send({ type: 'registered', web_client_id: webClientId, expires_at, call_ids: await callIds() });
      isWelcome = true;
      void look();
    },
    look: () => {
      if (isWelcome) void look();
    },
    take: (message) => {
      // A second login on the socket means nothing.
      if (message.type !== 'register') requests = requests.then(() => run(message));
    },
    isExpired: () => clock.now() >= expiresAtMs && told.size === 0,
    close: (reason) => webSocket.close(...reason),
  };
}

function mustBe(done: boolean): void {
  if (!done) throw new ApiError('call_not_active');
}

async function requireActiveAccount({ db }: SeatContext, { accountId }: Ledger): Promise<void> {
  if ((await findAccount(db, accountId))?.status === 'suspended') throw new ApiError('account_suspended');
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof ApiError || error instanceof SeatError) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'Something went wrong on our side.' };
}
