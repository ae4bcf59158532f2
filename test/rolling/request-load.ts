import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

type Failure = { readonly at: string; readonly path: string; readonly what: string };

/** The sender of texts: its key, its number, and the address of the balancer. */
export type Sender = { readonly url: string; readonly key: string; readonly numberId: string };

/** Sends a request every `everyMs`, alternately a text and a list, over connections that it keeps and over new ones. */
export function startLoad({ url, key, numberId }: Sender, everyMs: number) {
  const failures: Failure[] = [];
  /** The ids of the accepted texts. */
  const texts: string[] = [];
  const kept = new Agent({ keepAlive: true, maxSockets: 8 });
  let sent = 0;
  const send = (n: number) =>
    new Promise<void>((resolve) => {
      const isText = n % 2 === 0;
      const path = isText ? '/v1/messages' : '/v1/messages?limit=1';
      const fail = (what: string) => {
        failures.push({ at: new Date().toISOString(), path, what });
        resolve();
      };
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(isText && { 'idempotency-key': `text-${n}` }),
      };
      const options = { method: isText ? 'POST' : 'GET', headers, agent: n % 4 < 2 ? kept : false } as const;
      const asked = request(`${url}${path}`, options, async (reply) => {
        try {
          const body = await text(reply);
          const expected = isText ? 201 : 200;
          if (reply.statusCode !== expected) return fail(`status ${reply.statusCode}`);
          if (isText) texts.push(JSON.parse(body).id);
          resolve();
        } catch (error) {
          fail(String(error));
        }
      });
      asked.on('error', (error) => fail(error.message));
      asked.end(isText ? JSON.stringify({ from: numberId, to: '+16025550170', body: `Text ${n}` }) : undefined);
    });
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const one = send(sent++).finally(() => open.delete(one));
    open.add(one);
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      kept.destroy();
      return { sent, failures, texts };
    },
  };
}
