import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { Schema } from './schema-types.ts';
import { validatorCompiler } from './validation.ts';
import { compileWriter } from './writer.ts';

/**
 * The compiled schemas of replies. They are cached because several routes reply with the same schema, and a test has
 * several servers.
 */
const writers = new WeakMap<Schema, ReturnType<typeof compileWriter>>();

/**
 * Compiles the schemas of a route when the route is first used, in a fraction of a millisecond. So the start is not
 * delayed, and only schemas of used routes take memory.
 */
export function createLateCompilers() {
  const all: (() => unknown)[] = [];
  const late = <Compiled>(compile: () => Compiled): (() => Compiled) => {
    let compiled: Compiled | undefined;
    const get = () => {
      compiled ??= compile();
      return compiled;
    };
    all.push(get);
    return get;
  };
  const compileValidator: FastifySchemaCompiler<Schema> = (route) => {
    const validator = late(() => validatorCompiler(route));
    return (value: unknown) => validator()(value);
  };
  const compileSerializer: FastifySerializerCompiler<Schema> = ({ schema }) => {
    const write = late(() => {
      const compiled = writers.get(schema) ?? compileWriter(schema);
      writers.set(schema, compiled);
      return compiled;
    });
    return (document: unknown) => write()(document);
  };
  return {
    compileValidator,
    compileSerializer,
    /** Compiles every schema, for tests. Throws if a schema does not compile. */
    compileAll: (): void => {
      for (const compile of all) compile();
    },
  };
}
