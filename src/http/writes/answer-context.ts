import type { Scope } from '../../lib/scope.ts';

/** Binds a ciphertext to its key and ledger, so that it cannot be decrypted for another key or ledger. */
export function answerContext({ ledgerId, tenantId }: Pick<Scope, 'ledgerId' | 'tenantId'>, key: string): string {
  return `idempotency:${ledgerId}:${tenantId ?? ''}:${key}`;
}
