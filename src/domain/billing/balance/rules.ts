/** What registrations and purchases need; below it, balance.low is emitted. Micro-dollars. */
export const REGISTRATION_MICROS = 20_000_000n;

/** What a balance is asked to carry: a registration or purchase, or traffic. */
export type BalanceUse = 'registration' | 'traffic';

/** True if a balance carries the use: 20 USD for a registration, anything above nothing for traffic. */
export function carries(balanceMicros: bigint, use: BalanceUse): boolean {
  return use === 'registration' ? balanceMicros >= REGISTRATION_MICROS : balanceMicros > 0n;
}

/** True for a change that takes the balance below what registrations need. */
export function fallsLow(beforeMicros: bigint, afterMicros: bigint): boolean {
  return beforeMicros >= REGISTRATION_MICROS && afterMicros < REGISTRATION_MICROS;
}
