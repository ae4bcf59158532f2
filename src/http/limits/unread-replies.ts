/**
 * Bounds the bytes of replies that clients have not read. If an address or a key exceeds its share, one of its
 * connections is cut. If all clients together exceed the total, a connection of the client with the most unread bytes
 * is cut. Streamed replies (audio) are not counted and are never cut because of another client: the stream bounds their
 * bytes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../lib/http/client-network.ts';
import { addressOf } from './client-address.ts';

export type UnreadLimits = {
  /** Unread bytes of one address, and of one key. */
  shareBytesMax: number;
  /** Unread bytes of all clients together. */
  unreadBytesMax: number;
};

type Debt = {
  readonly request: FastifyRequest;
  readonly address: string;
  readonly key: string;
  readonly bytes: number;
};

export type UnreadReplies = {
  /** Counts a reply from now until the client has read it or the connection closes. */
  add(request: FastifyRequest, reply: FastifyReply, bytes: number): void;
};

/** @param cut ends the connection of a request */
export function createUnreadReplies(
  { shareBytesMax, unreadBytesMax }: UnreadLimits,
  cut: (request: FastifyRequest, reason: string) => void,
): UnreadReplies {
  /** In the order of sending. */
  const debts = new Map<FastifyReply, Debt>();
  const sums = new Map<string, number>();

  const change = (name: string, bytes: number) => {
    const sum = (sums.get(name) ?? 0) + bytes;
    if (sum === 0) sums.delete(name);
    else sums.set(name, sum);
  };
  const changeAll = (debt: Debt, bytes: number) => {
    for (const name of [TOTAL, addressName(debt), keyName(debt), ownerName(debt)]) change(name, bytes);
  };
  const remove = (reply: FastifyReply) => {
    const debt = debts.get(reply);
    if (debt === undefined) return;
    debts.delete(reply);
    changeAll(debt, -debt.bytes);
  };

  /**
   * Cuts connections of a group that exceeds its limit, until an eighth of the limit is free. Starts with the clients
   * that have the most unread bytes, and with the oldest connection of each. Never cuts the newest reply, because its
   * client had no time to read it.
   */
  const settle = (name: string, limit: number, newest: FastifyReply, isOfGroup: (debt: Debt) => boolean) => {
    const owed = (source: string) => sums.get(source) ?? 0;
    if (owed(name) <= limit) return;
    const others = [...debts].filter(([reply, debt]) => reply !== newest && isOfGroup(debt));
    const byOwner = [...Map.groupBy(others, ([, debt]) => ownerName(debt))].sort(([a], [b]) => owed(b) - owed(a));
    for (const [reply, { request }] of byOwner.flatMap(([, replies]) => replies)) {
      if (owed(name) <= (limit * 7) / 8) return;
      remove(reply);
      cut(request, `too many unread bytes ${name}`);
    }
  };

  return {
    add: (request, reply, bytes) => {
      if (bytes === 0) return;
      if (!debts.has(reply)) reply.raw.once('close', () => remove(reply));
      remove(reply);
      const debt = { request, address: networkOf(addressOf(request)), key: callerOf(request), bytes };
      debts.set(reply, debt);
      changeAll(debt, bytes);
      settle(addressName(debt), shareBytesMax, reply, ({ address }) => address === debt.address);
      settle(keyName(debt), shareBytesMax, reply, ({ key }) => key === debt.key);
      settle(TOTAL, unreadBytesMax, reply, () => true);
    },
  };
}

const TOTAL = 'of all clients';
const addressName = ({ address }: Debt) => `of the address ${address}`;
const keyName = ({ key }: Debt) => `of the key ${key}`;
const ownerName = ({ address, key }: Debt) => `of the key ${key} at the address ${address}`;

/** Names the credential of a request. Requests without a credential share the name of their ledger, or no name. */
function callerOf({ scope, link, session }: FastifyRequest): string {
  if (link !== undefined) return `link of ledger ${link.ledgerId}`;
  return scope?.keyId ?? session?.id ?? 'none';
}
