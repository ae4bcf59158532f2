/**
 * Writes the files that are generated from the code: `npm run gen`. With `--check` it writes nothing and fails if a
 * committed file differs from its generated content.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EVENT_CATALOG, EVENT_TYPES } from '../src/domain/events/index.ts';
import { ERROR_GROUPS, ERRORS } from '../src/lib/errors/errors.ts';
import { areaCodeTable, callingCodeTable } from './gen-area-codes.ts';
import { cliOperations } from './gen-cli.ts';
import { consoleEventTypes, consoleTypes } from './gen-console.ts';
import { errorPages } from './gen-errors.ts';
import { withEventTable } from './gen-event-table.ts';
import { thirdPartyLicenses } from './gen-licenses.ts';
import { openApiDocuments } from './gen-openapi.ts';
import { codeSamples, methodTable, withSamples } from './gen-samples.ts';
import { sdkRequests, sdkResources, sdkSchemas } from './gen-sdk.ts';
import { embedBundle, softphoneBundle, softphoneWorklet, softphoneWorkletModule } from './gen-softphone.ts';
import { sdkPackage } from './sdk/package-tar.ts';

type Generator = { path: string; generate: () => Promise<string> | string };

const documents = openApiDocuments();
// The samples are made from the document, which still contains the samples of the last generation.
const samples = documents.then(({ publicApi }) => codeSamples(publicApi));
const openApi = documents.then(async ({ publicApi }) => withSamples(publicApi, await samples));

const GENERATORS: readonly Generator[] = [
  { path: 'THIRD_PARTY_LICENSES.md', generate: () => thirdPartyLicenses('.') },
  { path: 'docs/errors.md', generate: () => errorPages(ERRORS, ERROR_GROUPS) },
  {
    path: 'docs/webhooks.md',
    generate: async () => withEventTable(await readFile('docs/webhooks.md', 'utf8'), EVENT_CATALOG),
  },
  { path: 'docs/methods.md', generate: async () => methodTable(await openApi) },
  { path: 'openapi.json', generate: () => openApi },
  { path: 'openapi-operator.json', generate: async () => (await documents).operatorApi },
  {
    path: 'packages/console/src/api/generated/event-types.ts',
    generate: () => consoleEventTypes([...EVENT_TYPES].sort()),
  },
  {
    path: 'packages/console/src/api/generated/operator-types.ts',
    generate: async () => consoleTypes((await documents).operatorApi),
  },
  { path: 'packages/embeds/bundle/inbox.js', generate: () => embedBundle('inbox') },
  { path: 'packages/embeds/bundle/phone.js', generate: () => embedBundle('phone') },
  {
    path: 'packages/sdk/bundle/sdk.tar',
    generate: async () =>
      sdkPackage({
        'requests.ts': await sdkRequests(await openApi),
        'resources.ts': await sdkResources(await openApi),
        'schemas.ts': await sdkSchemas(await openApi),
      }),
  },
  { path: 'packages/sdk/src/generated/requests.ts', generate: async () => sdkRequests(await openApi) },
  { path: 'packages/sdk/src/generated/resources.ts', generate: async () => sdkResources(await openApi) },
  { path: 'packages/sdk/src/generated/schemas.ts', generate: async () => sdkSchemas(await openApi) },
  { path: 'packages/softphone/bundle/softphone.js', generate: softphoneBundle },
  { path: 'packages/softphone/bundle/worklet.js', generate: softphoneWorklet },
  { path: 'packages/softphone/src/generated/worklet.js', generate: softphoneWorkletModule },
  { path: 'src/cli/api/operations.json', generate: async () => cliOperations(await openApi) },
  {
    path: 'src/http/openapi/samples.json',
    generate: async () => `${JSON.stringify(await samples, null, 1)}\n`,
  },
  { path: 'src/lib/phone/calling-codes.json', generate: callingCodeTable },
  { path: 'src/lib/phone/nanp.json', generate: areaCodeTable },
];

async function main(checkOnly: boolean): Promise<void> {
  for (const { path, generate } of GENERATORS) {
    const wanted = await generate();
    if ((await readIfThere(path)) === wanted) continue;
    if (checkOnly) {
      console.log(`${path} is not up to date: run npm run gen and commit the result`);
      process.exitCode = 1;
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, wanted);
      console.log(`wrote ${path}`);
    }
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

await main(process.argv.includes('--check'));
