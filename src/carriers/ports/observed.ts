/** Measures the requests of a port: how long each took, and what the carrier answered. */
import { monotonicMs } from '../../lib/time/time.ts';

/**
 * `result` is the outcome of a command, or the finding of a question. It is `done` for any other answer, and `failed`
 * for a request that threw.
 */
export type ObservePort = (request: { operation: string; result: string; durationMs: number }) => void;

/** Returns a port whose operations are measured. Its other properties do not change. */
export function observePort<Port extends object>(port: Port, observe: ObservePort): Port {
  const measured = new WeakMap<Operation['call'], Operation['call']>();
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = member as Operation['call'];
      const known = measured.get(call) ?? measure(target, { operation: String(name), call }, observe);
      measured.set(call, known);
      return known;
    },
  });
}

type Operation = { readonly operation: string; readonly call: (...args: unknown[]) => unknown };

function measure(port: object, { operation, call }: Operation, observe: ObservePort) {
  return async (...args: unknown[]): Promise<unknown> => {
    const startedMs = monotonicMs();
    const finish = (result: string) => observe({ operation, result, durationMs: monotonicMs() - startedMs });
    try {
      const answer: unknown = await Reflect.apply(call, port, args);
      finish(resultOf(answer));
      return answer;
    } catch (error) {
      finish('failed');
      throw error;
    }
  };
}

function resultOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return 'done';
  if ('outcome' in answer && typeof answer.outcome === 'string') return answer.outcome;
  return 'found' in answer && typeof answer.found === 'string' ? answer.found : 'done';
}
