/** The emulated API as an account's software sees it: requests by HTTP, and a receiver of webhooks. */

import { beforeEach } from 'node:test';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { timeoutSignal } from '../support/emulator-time.ts';
import { useReceiver } from '../support/receiver.ts';
import { skipWhile } from '../support/stepping-time.ts';
import { startTelnyx } from './start-telnyx.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The code of the first error; absent if there is none. */
  readonly code?: string;
  /** The whole body. */
  readonly body: never;
  /** The `data` of the body. */
  readonly data: never;
};

/** Starts the emulator for the tests of the file. Each test has an empty account. */
export async function useTelnyxApi() {
  const telnyx = await startTelnyx({ roundTripMs: 0, stepMs: 10, retryMs: 10 });
  closeAfterTests(() => telnyx.close());
  const receiver = await useReceiver();
  const { control } = telnyx;
  beforeEach(async () => {
    await control.reset({});
    receiver.received.length = 0;
    receiver.answer({});
  });
  /** Sends a request to the API. */
  const call = async (method: string, path: string, sent?: object, timeoutMs = 5_000): Promise<Answer> => {
    const answer = fetch(`${telnyx.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${telnyx.apiKey}`, 'content-type': 'application/json' },
      ...(sent && { body: JSON.stringify(sent) }),
      signal: timeoutSignal(timeoutMs),
    });
    const reply = await skipWhile(answer, timeoutMs);
    const text = await reply.text();
    const body = text === '' ? {} : JSON.parse(text);
    const { data, errors } = body as { data: never; errors?: { code: string }[] };
    const { status, headers } = reply;
    return { status, headers, body: body as never, data, ...(errors && { code: `${errors[0]?.code}` }) };
  };
  return { telnyx, receiver, control, call };
}
