import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { createLateCompilers } from './late-compiler.ts';

const BODY = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };
const REPLY = { type: 'object', properties: { size: { type: 'integer' } } };

async function makeApp(body: object) {
  const compilers = createLateCompilers();
  const app = fastify();
  app.setValidatorCompiler(compilers.compileValidator);
  app.setSerializerCompiler(compilers.compileSerializer);
  const schema = { body, response: { 200: REPLY } };
  app.post('/sizes', { schema }, (request) => ({ ...(request.body as object), hidden: true }));
  await app.ready();
  return { app, compilers };
}

const post = async (app: Awaited<ReturnType<typeof makeApp>>['app'], payload: object) => {
  const reply = await app.inject({ method: 'POST', url: '/sizes', payload });
  return { status: reply.statusCode, body: reply.json() };
};

test('the first request is validated and its reply serialized by the schemas', async () => {
  const { app } = await makeApp(BODY);
  assert.deepEqual(await post(app, { size: 3 }), { status: 200, body: { size: 3 } });
  assert.equal((await post(app, { size: 'large' })).body.code, 'invalid_body');
});

test('a schema that cannot be compiled is found when all are compiled', async () => {
  const { compilers } = await makeApp({ type: 'no such type' });
  assert.throws(() => compilers.compileAll(), /"no such type" is not judged/);
});

test('a schema of replies is compiled once, however many routes and servers use it', () => {
  const properties: Record<string, object> = { size: { type: 'integer' } };
  const schema = { type: 'object', properties };
  const serialize = (url: string) =>
    createLateCompilers().compileSerializer({ schema, method: 'GET', url, httpStatus: '200' })({
      size: 3,
      color: 'red',
    });
  assert.equal(serialize('/sizes'), '{"size":3}');
  // If the schema were compiled again, it would have the new property.
  properties['color'] = { type: 'string' };
  assert.equal(serialize('/sizes/{id}'), '{"size":3}');
});
