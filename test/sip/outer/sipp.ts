/** sipp as the outer world. It runs one scenario from one address. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { type Jailed, type JailFolder, makeJailFolder, startJailed } from '../jail.ts';
import type { Network } from '../world/network.ts';

type SippParts = {
  readonly network: Network;
  /** The address of the outer world that sipp uses. */
  readonly host: string;
  readonly scenario: string;
};

/** Starts sipp as a provider that answers at port 5060. It runs until the tests end. */
export function startSippProvider(parts: SippParts): Jailed {
  const { program } = start(parts, ['-p', '5060']);
  return program;
}

type SippCalls = SippParts & {
  /** The address and port of the engine. */
  readonly engine: string;
  readonly from: string;
  readonly to: string;
  readonly calls?: number;
  readonly callsPerSecond?: number;
  /** True if each call uses a different port, as with telephones behind one address. */
  readonly hasPorts?: boolean;
};

type SippRun = {
  /**
   * Resolves when all calls have ended, with the number of calls that followed the scenario and the number of others.
   */
  readonly ended: Promise<{ readonly successful: number; readonly failed: number }>;
};

/** Starts sipp as a caller. It ends after two minutes. */
export function startSippCalls(options: SippCalls): SippRun {
  const { engine, from, to, calls = 1, callsPerSecond = 10, hasPorts = false, ...parts } = options;
  const { program } = start(parts, [
    ...[engine, '-s', to, '-key', 'from', from, '-m', String(calls), '-r', String(callsPerSecond)],
    ...['-l', String(calls), '-timeout', '120s', ...(hasPorts ? ['-t', 'un', '-max_socket', '1000'] : [])],
  ]);
  return { ended: count(program) };
}

/** Makes one call. Fails unless it follows the scenario. */
export async function makeSippCall(parts: SippCalls): Promise<void> {
  assert.deepEqual(await startSippCalls(parts).ended, { successful: 1, failed: 0 });
}

function start({ network, host, scenario }: SippParts, more: readonly string[]) {
  const folder: JailFolder = makeJailFolder();
  writeFileSync(join(folder.outside, 'scenario.xml'), scenario);
  const args = ['-sf', join(folder.inside, 'scenario.xml'), '-i', host, '-nostdin', ...more];
  const program = startJailed('sipp', args, network.namespace);
  closeAfterTests(async () => {
    await program.kill();
    folder.remove();
  });
  return { program, folder };
}

/** Reads the counts of the last screen: for this period, and in all. */
async function count(program: Jailed) {
  await once(program.process, 'close');
  const read = (label: string) => {
    const found = [...program.output().matchAll(new RegExp(`${label} call *\\|[^|]*\\| *(\\d+)`, 'g'))].at(-1);
    return found === undefined ? assert.fail(`sipp ended without counts: ${program.output()}`) : Number(found[1]);
  };
  return { successful: read('Successful'), failed: read('Failed') };
}
