/**
 * What a web client has been told of a leg, and what it is to be told next: pure. A signal that something has changed says
 * only that; the legs are read, and compared with what was said before. So nothing depends on how many signals come,
 * and a web client that logs in anew is told everything again.
 */

import type { WebClientLeg } from '../../carriers/ports/web-client.ts';
import type { EndReason } from './protocol.ts';

/** How far the web client's picture of a leg has come. */
export type Told = {
  readonly callId: string;
  readonly wasRung: boolean;
  readonly shown: boolean;
  readonly media: boolean;
  readonly remote: 'none' | 'ringing' | 'up';
};

export type News =
  | { readonly say: 'incoming' | 'dialing' | 'media' | 'ringing' | 'answered'; readonly leg: WebClientLeg }
  | { readonly say: 'ended'; readonly leg: WebClientLeg; readonly reason: EndReason };

/** Of a leg that the web client is to hear of, and has heard nothing of yet. */
export function nothingTold({ callId, wasRung }: Pick<WebClientLeg, 'callId' | 'wasRung'>): Told {
  return { callId, wasRung, shown: false, media: false, remote: 'none' };
}

/**
 * Compares a leg with what was told of it; undefined: the web client knows nothing of it, and is not waiting for it.
 * @returns what to say, in order, and the picture after that: undefined for a leg that has ended
 */
export function compare(
  before: Told | undefined,
  leg: WebClientLeg,
): { readonly news: readonly News[]; readonly told: Told | undefined } {
  const news: News[] = [];
  if (leg.state !== 'ended') return { news, told: advance(before ?? nothingTold(leg), leg, news) };
  if (before !== undefined) {
    if (!before.shown) news.push(beginningOf(leg));
    news.push({ say: 'ended', leg, reason: reasonOf(leg) });
  }
  return { news, told: undefined };
}

function beginningOf(leg: WebClientLeg): News {
  return { say: leg.wasRung ? 'incoming' : 'dialing', leg };
}

function advance(before: Told, leg: WebClientLeg, news: News[]): Told {
  let after = before;
  if (!after.shown) {
    news.push(beginningOf(leg));
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

function reasonOf({ endReason }: WebClientLeg): EndReason {
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
