import type { CommittedEvent } from '../domain/events/index.ts';
import { textFrame } from '../http/sockets/text-frame.ts';
import type { EventSocket } from './event-socket.ts';

/** The sockets of one ledger by the tenant whose events they get. The key null has the sockets that get all events. */
type Audiences = Map<string | null, Set<EventSocket>>;

export type Hub = ReturnType<typeof createHub>;

/** Keeps the open sockets of this process by ledger and tenant, and writes events to them. */
export function createHub() {
  const ledgers = new Map<number, Audiences>();
  const sockets = new Set<EventSocket>();

  const audienceOf = ({ grant }: EventSocket) => ledgers.get(grant.ledgerId)?.get(grant.tenantId);

  return {
    sockets: sockets as ReadonlySet<EventSocket>,

    hasLedger: (ledgerId: number): boolean => ledgers.has(ledgerId),

    countOf(ledgerId: number): number {
      let count = 0;
      for (const audience of ledgers.get(ledgerId)?.values() ?? []) count += audience.size;
      return count;
    },

    add(socket: EventSocket): void {
      const { ledgerId, tenantId } = socket.grant;
      const audiences = ledgers.get(ledgerId) ?? new Map<string | null, Set<EventSocket>>();
      ledgers.set(ledgerId, audiences);
      audiences.set(tenantId, (audiences.get(tenantId) ?? new Set()).add(socket));
      sockets.add(socket);
    },

    remove(socket: EventSocket): void {
      const { ledgerId, tenantId } = socket.grant;
      sockets.delete(socket);
      audienceOf(socket)?.delete(socket);
      if (audienceOf(socket)?.size === 0) ledgers.get(ledgerId)?.delete(tenantId);
      if (ledgers.get(ledgerId)?.size === 0) ledgers.delete(ledgerId);
    },

    /** Serialises each event once, and writes once to each socket. */
    deliver(events: readonly CommittedEvent[]): void {
      const waiting = new Map<Set<EventSocket>, Buffer[]>();
      for (const { ledgerId, envelope } of events) {
        const audiences = ledgers.get(ledgerId);
        if (audiences === undefined) continue;
        const frame = textFrame(JSON.stringify(envelope));
        // An event of the account itself has no tenant: only the sockets without a tenant get it.
        for (const tenantId of new Set([null, envelope.tenant_id])) {
          const audience = audiences.get(tenantId);
          if (audience === undefined) continue;
          const frames = waiting.get(audience);
          if (frames === undefined) waiting.set(audience, [frame]);
          else frames.push(frame);
        }
      }
      for (const [audience, frames] of waiting) {
        const bytes = frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames);
        // A socket that is closed leaves the set, which an iteration allows.
        for (const socket of audience) socket.write(bytes);
      }
    },
  };
}
