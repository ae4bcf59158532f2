/** The routing decision of an inbound call, and its reason. */

export const ROUTE_BRANCHES = ['open', 'closed', 'menu', 'none'] as const;
export const ROUTE_REASONS = ['answered', 'no_answer', 'closed', 'no_routing', 'unreachable', 'overflow'] as const;
export type RouteReason = (typeof ROUTE_REASONS)[number];

/** The routing decision of an inbound call. */
export type Route = {
  /** Null for a number without a routing config. */
  readonly configId: string | null;
  readonly branch: (typeof ROUTE_BRANCHES)[number];
  /** Whether the hours were closed when the call came in. A menu of the config keeps this value. */
  readonly isClosed: boolean;
  /** Null until the call is decided: its targets ring, or its caller hears a menu. */
  readonly reason: RouteReason | null;
  /** True once a target has rung, was busy or has declined. */
  readonly isReached: boolean;
  /** The number of the tenant that texts callers after a missed call, if it does. */
  readonly repliesFrom?: string;
};
