import { setImmediate as nextTick } from 'node:timers/promises';
import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { validatorCompiler } from './validation.ts';

type Serializer = ReturnType<ReturnType<SerializerFactory>>;

/** Compiled schemas of replies. Several routes reply with the same schema, and a test has several servers. */
const serializers = new WeakMap<object, Serializer>();

/**
 * Compiles the schema of a route when the route is first used. All schemas together take a second of processor time,
 * for which a start and each test would wait.
 */
export function createLateCompilers() {
  const serializerCompiler: ReturnType<SerializerFactory> = SerializerSelector()({}, {});
  const uncompiled = new Set<() => unknown>();
  let isStopped = false;
  const late = <Compiled>(compile: () => Compiled): (() => Compiled) => {
    let compiled: Compiled | undefined;
    const get = () => {
      uncompiled.delete(get);
      compiled ??= compile();
      return compiled;
    };
    uncompiled.add(get);
    return get;
  };
  const compileValidator: FastifySchemaCompiler<Parameters<typeof validatorCompiler>[0]['schema']> = (route) => {
    const validator = late(() => validatorCompiler(route));
    return (value: unknown) => validator()(value);
  };
  const compileSerializer: FastifySerializerCompiler<unknown> = ({ schema, method, url, httpStatus = '' }) => {
    const serializer = late(() => {
      const known = serializers.get(schema as object);
      const compiled = known ?? serializerCompiler({ schema, method, url, httpStatus });
      serializers.set(schema as object, compiled);
      return compiled;
    });
    return (document: unknown) => serializer()(document);
  };
  return {
    compileValidator,
    compileSerializer,
    /**
     * Compiles what is left, one schema at a time, so that requests are answered in between. Ends early after `stop`.
     */
    compileAll: async (): Promise<void> => {
      for (const compile of uncompiled) {
        await nextTick();
        if (isStopped) return;
        compile();
      }
    },
    stop: (): void => {
      isStopped = true;
    },
  };
}
