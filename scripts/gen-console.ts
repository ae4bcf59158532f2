/** Writes what the console knows of the API: the operator API's types, and the names of the events' types. */
import { requestComponents } from './gen-sdk.ts';
import type { Document } from './sdk/document.ts';
import { declaration } from './sdk/types.ts';

const HEAD = '// Made from openapi-operator.json by `npm run gen`. Edit the document, not this file.\n';

/** Makes `operator-types.ts`: resources and bodies. Errors, pages and lists have their types in the SDK. */
export function consoleTypes(text: string): string {
  const document: Document = JSON.parse(text);
  const requests = requestComponents(document);
  const declarations = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error' && !/(Page|List)$/.test(name))
    .map(([name, schema]) => declaration(name, schema, requests.has(name) ? 'request' : 'reply'));
  return [HEAD, ...declarations].join('\n');
}

/** Makes `event-types.ts`: the types that the filter of the event log offers. */
export function consoleEventTypes(types: readonly string[]): string {
  const names = types.map((type) => `  '${type}',\n`).join('');
  return `// Made from the catalogue of events by \`npm run gen\`.\nexport const EVENT_TYPES: readonly string[] = [\n${names}];\n`;
}
