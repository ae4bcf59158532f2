/** Writes the part of the command line that follows from openapi.json: its operations, their options and examples. */
import type { Operation as Command, OperationGroup } from '../src/cli/api/operations.ts';
import { exampleWords } from './cli/examples.ts';
import { fieldsOf } from './cli/fields.ts';
import type { Document, Operation, Parameter } from './sdk/document.ts';
import { kebab } from './sdk/names.ts';
import { type Method, methodsOf } from './sdk/operations.ts';

/** Options that every command for the API has. No field may have one of these names. */
const RESERVED = ['json', 'data', 'all', 'file', 'output', 'help', 'yes', 'idempotency-key', 'key', 'profile'];

/** Makes `operations.json`: a group for each resource of the SDK, with the SDK's names in kebab case. */
export function cliOperations(text: string): string {
  const document: Document = JSON.parse(text);
  const methods = methodsOf(document);
  const groups = [...new Set(methods.map(({ group }) => group))].map((group): OperationGroup => {
    const inGroup = methods.filter((method) => method.group === group);
    const tag = document.tags.find(({ name }) => name === inGroup[0]?.tag);
    return {
      name: kebab(group),
      summary: (tag?.description ?? '').replace(/\.$/, ''),
      operations: inGroup.map((method) => commandOf(document, method)),
    };
  });
  return `${JSON.stringify(groups, null, 1)}\n`;
}

function commandOf(document: Document, method: Method): Command {
  const operation = document.paths[method.path]?.[method.verb.toLowerCase()] as Operation;
  const fields = fieldsOf(document, operation);
  for (const { option } of fields) refuseReserved(method, option);
  const { path, reply, fileTypes } = method;
  return {
    name: kebab(method.method),
    summary: operation.summary.replace(/\.$/, ''),
    ...(operation.description !== undefined && { description: operation.description }),
    method: method.verb as Command['method'],
    path,
    arguments: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    fields,
    ...(method.body && { hasBody: true }),
    ...(fileTypes && { fileTypes }),
    reply: reply.kind,
    example: [...pathExamples(operation), ...fileExample(fileTypes), ...exampleWords(operation, fields)],
  };
}

function refuseReserved({ group, method }: Method, option: string): void {
  if (!RESERVED.includes(option)) return;
  throw new Error(`--${option} of ${group}.${method} is an option of every command: name it in scripts/gen-cli.ts`);
}

function pathExamples({ parameters = [] }: Operation): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ example, name }: Parameter) => String(example ?? name.toUpperCase()));
}

function fileExample(types: readonly string[] | undefined): string[] {
  return types === undefined ? [] : ['--file', `file.${(types[0] as string).split('/')[1]}`];
}
