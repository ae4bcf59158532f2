import examples from './examples.json' with { type: 'json' };
import samples from './samples.json' with { type: 'json' };
import type { Operation, Referable } from './types.ts';

type Values = Readonly<Record<string, unknown>>;
type Example = { readonly path?: Values; readonly query?: Values; readonly body?: unknown; readonly reply?: unknown };

/** By operationId: a request that was really sent, and its reply. `npm run gen:examples` records them. */
export const EXAMPLES: Readonly<Record<string, Example>> = examples;

/** Adds the recorded example of an operation to its parameters, its body and its reply. */
export function addExample(operation: Operation): Operation {
  const { path = {}, query = {}, body, reply } = EXAMPLES[operation.operationId as string] ?? {};
  const { parameters, requestBody, responses } = operation;
  const withReplies = Object.entries(responses).map(([status, response]) => [
    status,
    /^20[0-2]$/.test(status) ? inJson(response, reply) : response,
  ]);
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((parameter) => inParameter(parameter, { path, query })) }),
    ...(requestBody && { requestBody: inJson(requestBody, body) }),
    responses: Object.fromEntries(withReplies),
  };
}

function inParameter(parameter: Referable, values: { path: Values; query: Values }): Referable {
  const {
    name,
    in: place,
    schema,
  } = parameter as { name: string; in: keyof typeof values; schema?: { type?: string } };
  const value = values[place]?.[name];
  if (value === undefined) return parameter;
  return { ...parameter, example: schema?.type === 'integer' ? Number(value) : value };
}

function inJson<Body extends object>(body: Body, example: unknown): Body {
  const { content } = body as { content?: Record<string, object> };
  const json = content?.['application/json'];
  if (json === undefined || example === undefined) return body;
  return { ...body, content: { ...content, 'application/json': { ...json, example } } };
}

/** A sample for the pages of the API reference. */
export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

/** The samples by operationId. `npm run gen` writes them from the examples. */
const SAMPLES: Readonly<Record<string, readonly CodeSample[]>> = samples;

/** Adds samples of a public operation in each language. */
export function addSamples(operation: Operation): Operation {
  const added = SAMPLES[operation.operationId as string];
  return added === undefined ? operation : { ...operation, 'x-codeSamples': added };
}
