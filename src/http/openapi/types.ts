/** The parts of an OpenAPI 3.1 document that the code here changes. The other parts stay unchanged. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export type Referable = { readonly $ref: string } | Readonly<Record<string, unknown>>;

export type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Referable[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Referable>;
  'x-key-access'?: 'account';
  'x-key-mode'?: 'test';
  'x-session-role'?: 'operator' | 'admin';
  'x-body-bytes-max'?: number;
  'x-error-codes'?: string[];
  'x-codeSamples'?: readonly object[];
};

export type PathItem = { [method: string]: Operation };

export type Document = {
  openapi: string;
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
  tags?: { name: string; description: string }[];
  [part: string]: unknown;
};
