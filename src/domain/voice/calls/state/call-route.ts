/** The routing decision of an inbound call, and its reason. */

export const ROUTE_BRANCHES = ['open', 'closed', 'menu', 'none'] as const;
export const ROUTE_REASONS = ['answered', 'no_answer', 'closed', 'no_routing', 'unreachable', 'overflow'] as const;
export type RouteReason = (typeof ROUTE_REASONS)[number];

/** The routing decision of an inbound call. */
export type Route = {
  /** Null for a number without routing. */
  readonly configId: string | null;
  readonly branch: (typeof ROUTE_BRANCHES)[number];
  /** Whether the hours were closed when the call came in; a menu of these hours keeps that. */
  readonly isClosed: boolean;
  /** Null while the call is undecided: its targets ring, or it is in a menu. */
  readonly reason: RouteReason | null;
  /** True once a target has rung, was busy or has declined. */
  readonly isReached: boolean;
  /** Our number, if its tenant texts callers after a missed call. */
  readonly repliesFrom?: string;
};
