/** Minimum balance for registrations and purchases; balance.low is emitted below it. Micro-dollars. */
export const REGISTRATION_MICROS = 20_000_000n;

/** The use that a balance must be sufficient for: a registration or purchase, or traffic. */
export type BalanceUse = 'registration' | 'traffic';

/** Returns true if a balance is sufficient for the use: 20 USD for a registration, more than 0 for traffic. */
export function carries(balanceMicros: bigint, use: BalanceUse): boolean {
  return use === 'registration' ? balanceMicros >= REGISTRATION_MICROS : balanceMicros > 0n;
}

/** Returns true if a change takes the balance below the minimum for registrations. */
export function fallsLow(beforeMicros: bigint, afterMicros: bigint): boolean {
  return beforeMicros >= REGISTRATION_MICROS && afterMicros < REGISTRATION_MICROS;
}
