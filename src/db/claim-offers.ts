/**
 * Claims that this process can make while it writes new work. A statement that makes a lane may then write the claim
 * with it, so that the work begins at the commit, without a search for due work.
 */

/** A claim to write with a new lane. */
export type ClaimOffer = {
  readonly leaseToken: string;
  readonly leaseMs: number;
  /** The time of the offer, by the clock of `performance`: the lease ends no sooner than `leaseMs` later. */
  readonly offeredAt: number;
};

type Offer = (groupId: string) => ClaimOffer | undefined;

export type ClaimOffers = {
  /** Returns a claim on a new lane of the kind and group; undefined in a process that has no room for it. */
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
