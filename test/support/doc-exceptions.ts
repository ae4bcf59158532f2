/** Blocks of the documentation that are not run and compared unchanged. `starts` is the beginning of a block. */
import {
  type Check,
  isPriceList,
  isReadByStreams,
  isSentByStreams,
  passesAsTest,
  placesACall,
  receivesEvents,
  ringsInThePage,
  standsIn,
} from './doc-programs.ts';
import { verifiesIn, verifiesInNode } from './doc-verifiers.ts';

export type Entry = { readonly page: string; readonly starts: string };

/** Blocks that are not run. Each has the test that covers it, or the reason. */
export const NOT_RUN: readonly (Entry & { because: string })[] = [
  { page: 'CONTRIBUTING.md', starts: 'npm run check', because: 'they check and test the whole checkout' },
  { page: 'CONTRIBUTING.md', starts: 'npm test --', because: 'they check and test the whole checkout' },
  { page: 'docs/deploying.md', starts: 'cp deploy/docker', because: 'test/deploy checks the files; it needs Docker' },
  {
    page: 'docs/deploying.md',
    starts: 'useradd',
    because: 'test/deploy checks the unit; it needs a machine of its own',
  },
  { page: 'docs/high-availability.md', starts: 'apt-get install', because: '.ci/ha installs these packages' },
  { page: 'docs/high-availability.md', starts: 'createuser', because: 'npm run test:ha makes role and database' },
  {
    page: 'docs/voice-agents.md',
    starts: 'npm run example',
    because: 'test/scenarios/examples.test.ts runs it, and compares what it prints',
  },
  ...['npm run example', 'python3 examples'].map((starts) => ({
    page: 'docs/agent-quickstart.md',
    starts,
    because: 'test/scenarios/examples.test.ts runs it',
  })),
  {
    page: 'docs/agent-quickstart.md',
    starts: 'node bin/dialplane.mjs relay',
    because: 'src/cli/developer/relay.test.ts runs the command',
  },
  { page: 'docs/console.md', starts: 'npx dialplane', because: 'src/cli/accounts/console.test.ts runs the command' },
  { page: 'docs/quickstart.md', starts: 'npm start', because: 'src/cli/install/start.test.ts starts an install' },
  {
    page: 'docs/quickstart.md',
    starts: 'mkdir',
    because: 'test/scenarios/quickstart.test.ts runs it, and the examples in that folder',
  },
  { page: 'docs/testing.md', starts: 'DIALPLANE_DATA=', because: 'src/cli/install/start.test.ts starts an install' },
  { page: 'docs/logs.md', starts: 'node bin', because: 'src/cli/developer/logs.test.ts runs the command' },
  { page: 'docs/listening.md', starts: 'node bin', because: 'src/cli/developer/listen.test.ts runs the command' },
  { page: 'docs/operating.md', starts: 'npm install', because: 'npm run test:pack installs and starts the package' },
  { page: 'docs/operating.md', starts: 'npm start', because: 'src/cli/install/start.test.ts starts an install' },
  {
    page: 'docs/operating.md',
    starts: 'DATABASE_URL=',
    because: 'src/cli/cli.test.ts, with the addresses of the test',
  },
  { page: 'docs/operating.md', starts: 'pgbackrest', because: 'test/deploy/backup.test.ts backs up and restores' },
  { page: 'docs/operating.md', starts: 'REDIS_URL=', because: 'src/server/settings/config.test.ts reads the settings' },
  { page: 'docs/operating.md', starts: 'S3_BUCKET=', because: 'src/server/settings/config.test.ts reads the settings' },
  {
    page: 'docs/operating.md',
    starts: 'SPEECH_LIVE_URL=',
    because: 'src/server/settings/config.test.ts reads the settings',
  },
  {
    page: 'docs/operating.md',
    starts: 'SPEECH_URL=',
    because: 'src/server/settings/config.test.ts reads the settings',
  },
  { page: 'docs/operating.md', starts: 'select relname', because: 'it reads statistics, which differ on each machine' },
  { page: 'docs/operating.md', starts: 'VOICE_URL=', because: 'src/server/settings/config.test.ts reads the settings' },
  { page: 'docs/operating.md', starts: '{"level":30', because: 'src/http/edge tests read the lines of the log' },
  {
    page: 'docs/operating.md',
    starts: 'node bin/dialplane.mjs doctor',
    because: 'src/cli/doctor/doctor-checks.test.ts',
  },
  { page: 'docs/adding-a-carrier.md', starts: 'const outcome', because: 'src/carriers/book/book.test.ts asks so' },
  { page: 'docs/adding-a-carrier.md', starts: 'npm test', because: 'it runs tests' },
  {
    page: 'docs/carriers.md',
    starts: 'dialplane carriers',
    because: 'src/cli/carriers/carriers.test.ts runs the commands',
  },
  {
    page: 'docs/growing.md',
    starts: 'dialplane cells',
    because: 'test/cells/adding.test.ts and move.test.ts run the commands',
  },
  { page: 'docs/carriers/telnyx.md', starts: 'curl -sG https://api.telnyx', because: 'Telnyx itself answers it' },
  { page: 'docs/carriers/telnyx.md', starts: 'key=', because: 'test/telnyx/commands.test.ts writes such a file' },
  { page: 'docs/carriers/telnyx.md', starts: 'dialplane carriers', because: 'test/telnyx/commands.test.ts runs them' },
  {
    page: 'docs/carriers/sip.md',
    starts: 'trunks=',
    because: 'src/carriers/sip/config/settings.test.ts reads such settings',
  },
  {
    page: 'docs/carriers/sip.md',
    starts: 'phones=',
    because: 'src/carriers/sip/config/settings.test.ts reads such settings',
  },
  { page: 'docs/listening.md', starts: 'app.post', because: 'packages/sdk/test/webhooks.test.ts opens such a body' },
  { page: 'docs/carriers/sip.md', starts: 'dialplane carriers', because: 'src/cli/carriers.test.ts runs the commands' },
  { page: 'docs/carriers/sip.md', starts: 'chroot', because: 'it removes programs of the machine' },
  {
    page: 'docs/carriers.md',
    starts: 'dialplane numbers',
    because: 'src/cli/carriers/carriers.test.ts runs the command',
  },
  {
    page: 'docs/web-clients.md',
    starts: '<script type="module">',
    because: 'test/browser/softphone-bundles.test.ts places a call from such a page',
  },
  ...['<dialplane-inbox', 'dialplane-inbox {'].map((starts) => ({
    page: 'docs/embeds.md',
    starts,
    because: 'test/browser/embeds-inbox.test.ts and embeds-phone.test.ts open such pages',
  })),
  { page: 'docs/web-clients.md', starts: '(cd packages/softphone', because: 'it installs a package from the registry' },
  ...[
    '-- Texts that',
    'import { Closed, Id',
    'import type { Db, Tx }',
    'import type { Tx }',
    'import type { RoutePlugin }',
    '// src/lib/ids.ts',
  ].map((starts) => ({
    page: 'docs/adding-a-resource.md',
    starts,
    because: 'worked-example.test.ts builds the resource and uses it',
  })),
  {
    page: 'docs/adding-a-resource.md',
    starts: '// test/contract',
    because: 'fixtures of the same form run in test/contract',
  },
  ...[
    "'call.hold': aboutCall",
    "emit(transition, 'call.hold'",
    "'call.hold': (stage)",
    "await act('POST'",
    "emit(transition, 'call.comp",
  ].map((starts) => ({
    page: 'docs/adding-an-event.md',
    starts,
    because: 'entries, emissions, recipes and scenes of the same form run in the tests that the page names',
  })),
  { page: 'docs/adding-an-event.md', starts: 'npm run gen', because: 'it checks and tests the whole checkout' },
  { page: 'docs/adding-a-resource.md', starts: 'npm run gen', because: 'it checks and tests the whole checkout' },
];

/** Blocks with separate checks. */
export const CHECKED: readonly (Entry & { check: Check })[] = [
  { page: 'docs/agent-quickstart.md', starts: 'onPrompt:', check: standsIn('text-agent/agent.ts') },
  { page: 'docs/agent-quickstart.md', starts: 'const caller', check: standsIn('text-agent/main.ts') },
  { page: 'docs/agent-quickstart.md', starts: 'import test', check: passesAsTest },
  { page: 'docs/agent-quickstart.md', starts: 'elif kind', check: standsIn('text-agent-python/agent.py') },
  { page: 'docs/billing.md', starts: '{\n  "currency"', check: isPriceList },
  { page: 'docs/media-streams.md', starts: '{"event":"start"', check: isSentByStreams },
  { page: 'docs/media-streams.md', starts: '{"event":"media","payload"', check: isReadByStreams },
  { page: 'packages/softphone/README.md', starts: 'import {', check: placesACall },
  { page: 'docs/web-clients.md', starts: 'import { Softphone }', check: ringsInThePage },
  { page: 'docs/webhooks.md', starts: 'import { createHmac', check: verifiesInNode },
  { page: 'docs/webhooks.md', starts: 'import base64', check: verifiesIn('python') },
  { page: 'docs/webhooks.md', starts: 'package webhooks', check: verifiesIn('go') },
  { page: 'docs/webhooks.md', starts: '<?php', check: verifiesIn('php') },
  { page: 'docs/webhooks.md', starts: 'require "openssl"', check: verifiesIn('ruby') },
  { page: 'docs/realtime.md', starts: 'const socket', check: receivesEvents },
];
