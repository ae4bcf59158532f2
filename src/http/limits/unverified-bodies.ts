/**
 * Bounds the bytes of bodies whose sender is not verified yet: reports of carriers, opt-in forms, sign-ins. If an
 * address exceeds its share, the body that has just grown is refused. If a carrier connection exceeds its share, or all
 * bodies together exceed the total, the address with the most bytes loses its largest body.
 */
export type UnverifiedLimits = {
  /** Bytes of all unverified bodies. */
  totalBytesMax: number;
  /** Bytes of one address (of an IPv6 address, its first 64 bits). */
  addressBytesMax: number;
  /** Bytes of the reports to one carrier connection. */
  connectionBytesMax: number;
};

const MIB = 1024 * 1024;

export const UNVERIFIED_LIMITS: UnverifiedLimits = {
  totalBytesMax: 32 * MIB,
  addressBytesMax: 4 * MIB,
  connectionBytesMax: 16 * MIB,
};

/** The exceeded bound of a refused body. */
type Bound = 'address' | 'connection' | 'total';

type Source = {
  readonly address: string;
  /** The carrier connection of a report; undefined for any other body. */
  readonly connection: string | undefined;
};

type Body = Source & { bytes: number; readonly refuse: () => void };

export type UnverifiedBody = {
  /** Counts bytes that have arrived. */
  add(bytes: number): void;
  /** Called when the body has arrived. Its bytes still count, but it is not refused any more. */
  complete(): void;
  /** The exchange has ended. A second call does nothing. */
  close(): void;
};

/** @param onRefused is called with the bound that has refused a body */
export function createUnverifiedBodies(limits: UnverifiedLimits, onRefused: (bound: Bound) => void) {
  const { totalBytesMax, addressBytesMax, connectionBytesMax } = limits;
  const sums = new Map<string, number>();
  /** Bodies that are still arriving. */
  const arriving = new Set<Body>();

  const namesOf = ({ address, connection }: Source) => [
    TOTAL,
    `address ${address}`,
    ...(connection === undefined ? [] : [`connection ${connection}`]),
  ];
  const sumOf = (name: string) => sums.get(name) ?? 0;
  const grow = (body: Body, bytes: number) => {
    body.bytes += bytes;
    for (const name of namesOf(body)) {
      const sum = sumOf(name) + bytes;
      if (sum === 0) sums.delete(name);
      else sums.set(name, sum);
    }
  };
  const drop = (body: Body, bound: Bound) => {
    arriving.delete(body);
    grow(body, -body.bytes);
    onRefused(bound);
    body.refuse();
  };
  /** Drops the largest body of the address that has the most bytes in a group. */
  const dropLargest = (bound: Bound, isOfGroup: (body: Body) => boolean) => {
    const group = [...arriving].filter(isOfGroup);
    const held = (body: Body) => sumOf(`address ${body.address}`);
    const [largest] = group.sort((a, b) => held(b) - held(a) || b.bytes - a.bytes);
    if (largest !== undefined) drop(largest, bound);
  };

  /** Counts a body from now on. `refuse` ends the body. */
  function open(source: Source, refuse: () => void): UnverifiedBody {
    const body: Body = { ...source, bytes: 0, refuse };
    const { address, connection } = source;
    arriving.add(body);
    return {
      add: (bytes) => {
        if (!arriving.has(body)) return;
        grow(body, bytes);
        if (sumOf(`address ${address}`) > addressBytesMax) return drop(body, 'address');
        if (connection !== undefined && sumOf(`connection ${connection}`) > connectionBytesMax)
          dropLargest('connection', (other) => other.connection === connection);
        if (sumOf(TOTAL) > totalBytesMax) dropLargest('total', () => true);
      },
      complete: () => void arriving.delete(body),
      close: () => {
        arriving.delete(body);
        if (body.bytes > 0) grow(body, -body.bytes);
      },
    };
  }

  return { open };
}

const TOTAL = 'total';
