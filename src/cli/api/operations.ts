/** The operations of the API in the form that the commands need. `npm run gen` writes them from openapi.json. */
import written from './operations.json' with { type: 'json' };

/** `pairs` is an object of texts whose names the caller chooses; `json` is any value. */
type FieldType = 'text' | 'number' | 'boolean' | 'pairs' | 'json';

/** A field of a request that is an option of the command. */
export type Field = {
  /** The option without dashes: `quiet-hours.start`. */
  readonly option: string;
  /** Where the value goes: the name of a query parameter, or the names that lead to a field of the body. */
  readonly path: readonly string[];
  readonly in: 'query' | 'body';
  readonly type: FieldType;
  readonly isList?: true;
  readonly isNullable?: true;
  readonly isRequired?: true;
  /** All values that the option can have. */
  readonly values?: readonly string[];
  readonly meaning?: string;
};

export type Operation = {
  /** The words of the command, after the name of its group. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path. Each pair of braces has the name of an argument. */
  readonly path: string;
  /** The names of the arguments in the path, in the path's order. */
  readonly arguments: readonly string[];
  readonly fields: readonly Field[];
  readonly hasBody?: true;
  /** Media types of a body that is a file. */
  readonly fileTypes?: readonly string[];
  readonly reply: 'json' | 'page' | 'file' | 'none';
  /** The rest of an example command line, after the words of the command. */
  readonly example: readonly string[];
};

export type OperationGroup = {
  readonly name: string;
  readonly summary: string;
  readonly operations: readonly Operation[];
};

export const OPERATION_GROUPS = written as readonly OperationGroup[];
