/** Wires what the simulated carrier needs to know of the domain. */
import type { DomainFacts } from '../carriers/simulated/domain-facts.ts';
import { findE911Address, findOwnedNumber } from '../domain/numbers/index.ts';
import {
  Call,
  findActiveWebClient,
  findCall,
  hasWaitingCommands,
  holdWebClient,
  isWebClientOverdue,
  isWebClientReachable,
  wakeWebClient,
} from '../domain/voice/index.ts';

export const DOMAIN_FACTS: DomainFacts = {
  webClients: {
    isActive: async (tx, ledger, webClientId) => (await findActiveWebClient(tx, ledger, webClientId)) !== undefined,
    isReachable: isWebClientReachable,
    isOverdue: isWebClientOverdue,
    lock: holdWebClient,
    wake: wakeWebClient,
  },
  calls: { schema: Call, find: findCall, hasWaitingCommands },
  numbers: { findOwned: findOwnedNumber, findE911Address },
};
