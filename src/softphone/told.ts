/**
 * What a seat has been told of its calls, and what it is to be told next: pure. A signal that something has changed says
 * only that; the legs are read, and compared with what was said before. So nothing depends on how many signals come,
 * and a seat that logs in anew is told everything again.
 */
import type { EndReason } from './protocol.ts';
import type { SeatLeg } from './seat-lines.ts';

/** How far the seat's picture of a leg has come. */
export type Told = {
  readonly callId: string;
  readonly wasRung: boolean;
  readonly shown: boolean;
  readonly media: boolean;
  readonly remote: 'none' | 'ringing' | 'up';
};

export type News =
  | { readonly say: 'incoming' | 'dialing' | 'media' | 'ringing' | 'answered'; readonly leg: SeatLeg }
  | { readonly say: 'ended'; readonly leg: SeatLeg; readonly reason: EndReason };

const NOTHING = { shown: false, media: false, remote: 'none' } as const;

/**
 * Compares legs with what was told of them.
 * @returns what to say, in order, and the picture as it is after that: legs that have ended are in it no more
 */
export function compare(
  told: ReadonlyMap<string, Told>,
  legs: readonly SeatLeg[],
): { readonly news: readonly News[]; readonly told: ReadonlyMap<string, Told> } {
  const news: News[] = [];
  const next = new Map<string, Told>();
  for (const leg of legs) {
    const before = told.get(leg.legId);
    if (leg.state === 'ended') {
      if (before !== undefined) news.push({ say: 'ended', leg, reason: reasonOf(leg) });
      continue;
    }
    const picture = before ?? { callId: leg.callId, wasRung: leg.wasRung, ...NOTHING };
    next.set(leg.legId, advance(picture, leg, news));
  }
  return { news, told: next };
}

function advance(before: Told, leg: SeatLeg, news: News[]): Told {
  let after = before;
  if (!after.shown) {
    news.push({ say: leg.wasRung ? 'incoming' : 'dialing', leg });
    after = { ...after, shown: true };
  }
  if (leg.state !== 'up') return after;
  if (!after.media) {
    news.push({ say: 'media', leg });
    after = { ...after, media: true };
  }
  if (leg.other === 'up' && after.remote !== 'up') {
    news.push({ say: 'answered', leg });
    return { ...after, remote: 'up' };
  }
  if (leg.other === 'ringing' && after.remote === 'none') {
    news.push({ say: 'ringing', leg });
    return { ...after, remote: 'ringing' };
  }
  return after;
}

function reasonOf({ endReason }: SeatLeg): EndReason {
  switch (endReason) {
    case 'hangup':
      return 'hung_up';
    case 'declined':
    case 'answered_elsewhere':
    case 'no_answer':
      return endReason;
    default:
      return 'ended';
  }
}
