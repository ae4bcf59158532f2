/** The product in a separate process, for tests that kill or freeze it. `startProduct` runs it. */
import { EventEmitter, once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Carriers } from '../../src/carriers/ports/carrier.ts';
import type { MessageFailure, MessagingPort } from '../../src/carriers/ports/messaging.ts';
import type { Outcome } from '../../src/carriers/ports/outcome.ts';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import type { Context } from '../../src/context.ts';
import { createLog } from '../../src/lib/log.ts';
import { WORKER_SETTINGS, type WorkerSettings } from '../../src/queue/worker/settings.ts';
import { compose } from '../../src/server/compose.ts';
import { WIRE_KIND } from '../wire/adapter.ts';
import { TEST_METRICS_TOKEN, TEST_SECRET, TEST_SETTINGS } from './harness.ts';

export type ProgramOptions = {
  databaseUrl: string;
  port: number;
  /** If false, no workers start here, and other processes run durable work. */
  work: boolean;
  workerSettings: Partial<WorkerSettings>;
  /** If true, each send waits for the test. The program reports it as `sending`, and the test's verdict ends it. */
  blocksSends: boolean;
  /** If true, webhooks of live ledgers may go to loopback, like webhooks of test ledgers. */
  liveWebhooksLocal: boolean;
  /** The folder of the audio files. It is the same for all processes of a site. */
  blobFolder: string;
  /** True to serve the audio of calls. */
  gateway?: boolean;
  /** The address where the audio of calls is served, if another process serves it. */
  mediaUrl?: string;
};

/**
 * The verdict on a waiting send. With `forward` the real carrier gets the text; with `answer` the send ends. Both are
 * optional.
 */
export type Verdict = { forward?: true; answer?: Outcome<object, MessageFailure> };

export type ProgramMessage = { ready: string } | { sending: string };

/** Wraps a carrier so that each send waits for the test's verdict. */
function blockSends(real: MessagingPort, verdicts: EventEmitter): MessagingPort {
  return {
    ...real,
    send: async (ledger, message) => {
      process.send?.({ sending: message.ref } satisfies ProgramMessage);
      for (;;) {
        const [verdict] = (await once(verdicts, 'verdict')) as [Verdict];
        if (verdict.forward) await real.send(ledger, message);
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
    settings: { ...TEST_SETTINGS, ...(options.mediaUrl && { mediaUrl: options.mediaUrl }) },
    metricsToken: TEST_METRICS_TOKEN,
    adapterKinds: [WIRE_KIND, TELNYX_KIND, SIP_KIND],
  });
  if (options.blocksSends) {
    const verdicts = new EventEmitter();
    process.on('message', (verdict) => verdicts.emit('verdict', verdict));
    const carriers = product.context.carriers as { messaging: Carriers['messaging'] };
    const { messaging } = carriers;
    carriers.messaging = (...of) => blockSends(messaging(...of), verdicts);
  }
  if (options.liveWebhooksLocal) {
    const outbound = product.context.outbound as { live: Context['outbound']['live'] };
    outbound.live = product.context.outbound.test;
  }
  const url = await product.app.listen({ host: '127.0.0.1', port: options.port });
  const { server } = product.app;
  const gateway = { server, url: url.replace('http', 'ws') };
  await product.start({ server, work: options.work, ...(options.gateway && { gateway }) });
  process.on('disconnect', () => process.exit());
  process.once('SIGTERM', () => void product.close().finally(() => process.exit()));
  process.send?.({ ready: url } satisfies ProgramMessage);
}

await main();
