import { CLOSE } from './close-codes.ts';
import { openRelay, type Relay, type RelayOptions } from './relay.ts';
import type { NodeDirectory } from './types.ts';

/** The sockets that this node passes on to the nodes with their audio. */
export type Relays = {
  /** Passes an open and paused socket on; false, and nothing is done, if the node is not up. */
  forward(
    caller: Pick<RelayOptions, 'client' | 'connection' | 'token'>,
    address: { readonly nodeId: string; readonly path: string },
  ): Promise<boolean>;
  open(): Relay[];
  closeAll(): void;
  readonly size: number;
};

/** @param nodeId this node's name, which the others are told */
export function createRelays({ nodeId, nodes }: { nodeId: string; nodes: NodeDirectory }): Relays {
  const relays = new Set<Relay>();
  return {
    forward: async (caller, address) => {
      const base = await nodes.find(address.nodeId);
      if (base === undefined) return false;
      const onEnd = () => relays.delete(relay);
      const relay: Relay = openRelay({ ...caller, url: base + address.path, nodeId, onEnd });
      relays.add(relay);
      return true;
    },
    open: () => [...relays],
    closeAll: () => {
      for (const relay of [...relays]) relay.close(CLOSE.restart);
    },
    get size() {
      return relays.size;
    },
  };
}
