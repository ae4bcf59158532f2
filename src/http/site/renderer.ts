/**
 * Renders files of the product in a thread. The first colouring of a page's code takes a tenth of a second, and
 * requests must not wait for that. The thread ends after a minute without work.
 */
import { Worker } from 'node:worker_threads';
import { threadModule } from '../../lib/program.ts';
import { after, type Timer } from '../../lib/time/time.ts';
import type { Rendered } from './markdown.ts';

export type FilePage = Rendered & {
  /** The unchanged file. */
  readonly source: string;
};

export type RenderRequest = { readonly id: number; readonly file: string };
export type RenderAnswer = { readonly id: number } & (
  | { readonly page: FilePage | undefined }
  | { readonly problem: string }
);

const IDLE_MS = 60_000;

type Waiting = { resolve(page: FilePage | undefined): void; reject(error: Error): void };
type Thread = { readonly worker: Worker; readonly waiting: Map<number, Waiting>; idle?: Timer };

let thread: Thread | undefined;
let lastId = 0;

/**
 * Renders a file: Markdown as a page, other files as code. Undefined if the file does not exist.
 * @param file from the root of the product; must be a public file
 */
export function renderFile(file: string): Promise<FilePage | undefined> {
  thread ??= start();
  const { worker, waiting, idle } = thread;
  idle?.cancel();
  worker.ref();
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, file } satisfies RenderRequest);
  });
}

function start(): Thread {
  const worker = new Worker(threadModule(new URL('./render-thread.ts', import.meta.url)));
  const started: Thread = { worker, waiting: new Map() };
  const { waiting } = started;
  const fail = (error: Error) => {
    if (thread === started) thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (answer: RenderAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('problem' in answer) asked?.reject(new Error(answer.problem));
    else asked?.resolve(answer.page);
    if (waiting.size > 0) return;
    // The thread does not keep the process alive.
    worker.unref();
    started.idle = after(IDLE_MS, () => {
      if (thread === started) thread = undefined;
      worker.terminate();
    }).unref();
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the thread that renders pages ended with code ${code}`)));
  return started;
}
