/**
 * Claims on new work that this process offers. A statement that makes a lane can store such a claim in its row, so that
 * the work begins at the commit, without a search for due work.
 */

/** A claim to write with a new lane. */
export type ClaimOffer = {
  readonly leaseToken: string;
  readonly leaseMs: number;
  /** The time of the offer, by the clock of `performance`. The lease ends at the earliest `leaseMs` after it. */
  readonly offeredAt: number;
};

type Offer = (groupId: string) => ClaimOffer | undefined;

export type ClaimOffers = {
  /** Returns a claim on a new lane of the kind and group; undefined if this process has no room for it. */
  get(kind: string, groupId: string): ClaimOffer | undefined;
  /** Registers the function that makes the offers of a kind. */
  provide(kind: string, offer: Offer): void;
};

export function createClaimOffers(): ClaimOffers {
  const offers = new Map<string, Offer>();
  return {
    get: (kind, groupId) => offers.get(kind)?.(groupId),
    provide: (kind, offer) => {
      offers.set(kind, offer);
    },
  };
}
