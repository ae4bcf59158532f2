/**
 * The network between the engine and the outer world: a namespace with the addresses of providers and telephones. A
 * pair of interfaces joins it to our namespace.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** RFC 2544: 198.18.0.0/15 is for tests. Each network uses 256 of its addresses. */
const NETWORKS = 512;

export type Network = {
  /** The address of the engine. */
  readonly engineAddress: string;
  readonly namespace: string;
  /** Adds an address to the outer world. */
  newHost(): Promise<string>;
  /** Cuts the outer world off, or joins it again. */
  setJoined(isJoined: boolean): Promise<void>;
  close(): Promise<void>;
};

export async function openNetwork(): Promise<Network> {
  const index = await claimIndex();
  const namespace = nameOf(index);
  const [near, far] = [`${namespace}a`, `${namespace}b`];
  const prefix = `198.${18 + (index >> 8)}.${index & 255}`;
  const engineAddress = `${prefix}.1`;
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    // The kernel removes the interfaces with the namespace, but not immediately.
    await ip('link', 'delete', near).catch(() => undefined);
    await ip('netns', 'delete', namespace);
  };
  try {
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace);
    await ip('addr', 'add', `${engineAddress}/24`, 'dev', near);
    await ip('link', 'set', near, 'up');
    await ip('-n', namespace, 'link', 'set', 'lo', 'up');
    await ip('-n', namespace, 'link', 'set', far, 'up');
    // baresip finds its address by the default route.
    await ip('-n', namespace, 'addr', 'add', `${prefix}.2/24`, 'dev', far);
    await ip('-n', namespace, 'route', 'add', 'default', 'via', engineAddress);
  } catch (error) {
    await close();
    throw error;
  }
  let last = 9;
  return {
    engineAddress,
    namespace,
    newHost: async () => {
      const address = `${prefix}.${++last}`;
      await ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', far);
      return address;
    },
    setJoined: (isJoined) => ip('link', 'set', near, isJoined ? 'up' : 'down'),
    close,
  };
}

const nameOf = (index: number) => `dialplane${index}`;

/** Makes the first namespace that did not exist, and returns its index. No other process gets this index. */
async function claimIndex(): Promise<number> {
  for (let index = 0; index < NETWORKS; index++) {
    const made = await ip('netns', 'add', nameOf(index)).then(
      () => true,
      (error: Error) => {
        if (/File exists/.test(error.message)) return false;
        throw error;
      },
    );
    if (made) return index;
  }
  throw new Error(`all ${NETWORKS} networks are in use`);
}

async function ip(...args: string[]): Promise<void> {
  await run('ip', args);
}
