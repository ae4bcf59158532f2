/** Calls with audio, one after the other on each line. Like some platforms, the caller repeats no request. */
import assert from 'node:assert/strict';
import { type Caller, createCaller } from '../support/caller.ts';
import { expectStatus } from '../support/product-process.ts';
import { connectTo, reachStatus } from '../support/streams.ts';
import type { Sender } from './request-load.ts';

const LINES = 4;
/** A call has this much audio: 20 ms a frame, so 10 to 19 s. */
const FRAMES_MIN = 500;
const FRAMES_MORE = 150;
/** Audio is awaited in parts, because each wait has a limit. */
const PART = 50;

export type CallsReport = {
  /** The ids of the calls that have ended as they should. */
  readonly calls: readonly string[];
  /** Why other calls failed. */
  readonly failures: readonly string[];
  /**
   * The frames that were received, and the frames that a gateway left out because its process or its client was late.
   */
  readonly frames: number;
  readonly missing: number;
};

export function startCalls({ url, key, numberId }: Sender) {
  const call = createCaller(url, key);
  const report = { calls: [] as string[], failures: [] as string[], frames: 0, missing: 0 };
  let isOver = false;
  const runLine = async (line: number) => {
    for (let round = 0; !isOver; round++) {
      try {
        const { id, frames, missing } = await callOnce(call, { url, numberId, frames: framesOf(line + round) });
        report.calls.push(id);
        report.frames += frames;
        report.missing += missing;
      } catch (error) {
        report.failures.push(`${new Date().toISOString()} line ${line}: ${error}`);
      }
    }
  };
  const lines = Array.from({ length: LINES }, (_, line) => runLine(line));
  return {
    stop: async (): Promise<CallsReport> => {
      isOver = true;
      await Promise.all(lines);
      return report;
    },
  };
}

const framesOf = (n: number) => FRAMES_MIN + FRAMES_MORE * (n % LINES);

type Plan = { readonly url: string; readonly numberId: string; readonly frames: number };

/** Makes a call, receives its audio, stops the stream and hangs up. Fails if anything ends before that. */
async function callOnce(call: Caller, { url, numberId, frames }: Plan) {
  const body = { from: numberId, to: '+16025550143', connect_to: '+16025550117' };
  const { id } = await expectStatus(call('POST', '/v1/calls', { body }), 201);
  await reachStatus({ call }, id, 'in_progress');
  const stream = await expectStatus(call('POST', `/v1/calls/${id}/streams`, { body: {} }), 201);
  const client = connectTo(stream, url);
  const inbound = () => client.messages.filter(({ event, track }) => event === 'media' && track === 'inbound');
  for (let part = PART; part <= frames; part += PART) await client.until(() => inbound().length >= part);
  await expectStatus(call('DELETE', `/v1/calls/${id}/streams/${stream.id}`), 200);
  const { code } = await client.closed;
  assert.equal(code, 1000, `the stream of ${id} was closed with ${code}`);
  await expectStatus(call('POST', `/v1/calls/${id}/hangup`, { body: {} }), 200);
  await reachStatus({ call }, id, 'completed');
  const received = inbound();
  const last = Number(received.at(-1)?.['seq']);
  return { id, frames: received.length, missing: last - received.length };
}
