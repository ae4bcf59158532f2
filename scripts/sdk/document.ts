/** The parts of an OpenAPI document that the generator of the SDK reads. */

/** A JSON Schema with the keywords that the document uses. Bounds are left to the server. */
export type Schema = {
  $ref?: string;
  description?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  'x-extensible-enum'?: readonly string[];
  items?: Schema;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
};

type Content = Readonly<Record<string, { schema?: Schema; example?: unknown }>>;

export type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly [string, ...string[]];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
  security?: readonly unknown[];
};

export type Document = {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, { post: Operation }>>;
  components: { schemas: Readonly<Record<string, Schema>> };
};

/** Returns the name of the component that a schema refers to, or undefined for a schema that stands in place. */
export function componentName({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/components/schemas/', '');
}

/** Returns the schema itself, or the component that it refers to. */
export function resolve(document: Document, schema: Schema): Schema {
  const name = componentName(schema);
  if (name === undefined) return schema;
  const component = document.components.schemas[name];
  if (component === undefined) throw new Error(`the document has no schema ${name}`);
  return component;
}
