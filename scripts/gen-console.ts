/** Writes the types of the operator API for the console, from openapi-operator.json. */
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
