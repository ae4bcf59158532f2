/** The product in a process of its own, for tests that kill or freeze it; `startProduct` runs it. */
import { EventEmitter, once } from 'node:events';
import { parseArgs } from 'node:util';
import type { MessageFailure, MessagingPort } from '../../src/carriers/ports/messaging.ts';
import type { Outcome } from '../../src/carriers/ports/outcome.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { WORKER_SETTINGS, type WorkerSettings } from '../../src/queue/worker/settings.ts';
import { compose } from '../../src/server/compose.ts';
import { TEST_SECRET } from './harness.ts';
import { LOCAL_SETTINGS } from './local-settings.ts';

export type ProgramOptions = {
  databaseUrl: string;
  port: number;
  /** False leaves durable work to other processes. */
  work: boolean;
  workerSettings: Partial<WorkerSettings>;
  /** True makes the carrier's answers wait for the test: each send is reported as `sending` and ends by an answer. */
  heldCarrier: boolean;
  /** Where audio is kept; the same for all processes of a site. */
  blobFolder: string;
};

/** What becomes of a send that waits: the real carrier gets the text, the send ends with an answer, or first this, then that. */
export type Verdict = { handOver?: true; answer?: Outcome<object, MessageFailure> };

export type ProgramMessage = { ready: string } | { sending: string };

/** The carrier, asking the test at each send. */
function held(real: MessagingPort, verdicts: EventEmitter): MessagingPort {
  return {
    ...real,
    send: async (ledger, message) => {
      process.send?.({ sending: message.ref } satisfies ProgramMessage);
      for (;;) {
        const [verdict] = (await once(verdicts, 'verdict')) as [Verdict];
        if (verdict.handOver) await real.send(ledger, message);
        if (verdict.answer) return verdict.answer;
      }
    },
  };
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const options = JSON.parse(positionals[0] ?? '') as ProgramOptions;
  const product = await compose({
    databaseUrl: options.databaseUrl,
    secret: TEST_SECRET,
    log: createLog(process.env['LOG_LEVEL'] ?? 'silent'),
    connectionsMax: 12,
    blobs: { kind: 'folder', folder: options.blobFolder },
    workerSettings: { ...WORKER_SETTINGS, ...options.workerSettings },
    settings: LOCAL_SETTINGS,
  });
  if (options.heldCarrier) {
    const verdicts = new EventEmitter();
    process.on('message', (verdict) => verdicts.emit('verdict', verdict));
    const carriers = product.context.carriers as { messaging(ledger: Ledger): MessagingPort };
    const { messaging } = carriers;
    carriers.messaging = (ledger) => held(messaging(ledger), verdicts);
  }
  const url = await product.app.listen({ host: '127.0.0.1', port: options.port });
  await product.start({ server: product.app.server, work: options.work });
  process.on('disconnect', () => process.exit());
  process.send?.({ ready: url } satisfies ProgramMessage);
}

await main();
