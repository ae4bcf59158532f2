import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addTest, type FileResult, newResult } from './file-result.ts';
import { LAST_TEST, type Order, OUTPUT_END, type WorkerMessage } from './messages.ts';

export type WorkerOptions = {
  /** A file that takes longer is stopped with its process. */
  limitMs: number;
  /** Only tests whose name matches run. */
  name?: string | undefined;
  /** How long outputs may stay open after the end of their process; OUTPUT_MS by default. */
  outputMs?: number;
};

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const FOLLOW_PROMISES = new URL('follow-promises.ts', import.meta.url).href;
const REPORTER = new URL('worker-reporter.ts', import.meta.url).href;
/** A worker without work ends immediately. On a busy machine it takes longer. */
const END_MS = 60_000;
/** Time for the last output of a process that has ended. Programs that it started may hold the output open. */
const OUTPUT_MS = 5_000;

/** A test process. It runs one file at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  readonly #gone: Promise<unknown>;
  /** The results of its files so far. */
  readonly results: FileResult[] = [];
  #result: FileResult | undefined;
  #stopWaiting: () => void = () => undefined;
  /** The number of outputs that have not brought the mark of the file's end yet. */
  #outputsOpen = 0;

  constructor({ limitMs, name, outputMs = OUTPUT_MS }: WorkerOptions) {
    this.#limitMs = limitMs;
    const patterns = name === undefined ? [] : [name, LAST_TEST].map((pattern) => `--test-name-pattern=${pattern}`);
    const colors = process.stdout.isTTY ? ['--colors'] : [];
    const args = [
      '--expose-gc',
      `--import=${FOLLOW_PROMISES}`,
      `--test-reporter=${REPORTER}`,
      ...patterns,
      WORKER,
      ...colors,
    ];
    // Leads a separate process group: programs that its tests started are stopped with it.
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
    this.#child.on('message', (message: WorkerMessage) => this.#read(message));
    const outputs = [this.#child.stdout, this.#child.stderr].filter((output) => output !== null);
    for (const output of outputs) this.#readOutput(output);
    // Node does not report that the process is closed if its channel was disconnected from here.
    const closed = Promise.all(outputs.map((output) => once(output, 'close')));
    const late = () => pause(outputMs, undefined, { ref: false });
    this.#gone = once(this.#child, 'exit').then(() => Promise.race([closed, late()]));
    this.#gone.then(() => {
      for (const output of outputs) output.destroy();
      this.#stopWaiting();
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs a file and returns its result. The process may have ended then. */
  async run(order: Order): Promise<FileResult> {
    const startedAt = performance.now();
    const result = newResult(
      order.path,
      this.results.map(({ path }) => path),
    );
    this.#result = result;
    this.#outputsOpen = 2;
    this.results.push(result);
    const timer = setTimeout(() => {
      result.output += `stopped after ${this.#limitMs / 1000} s: a test hangs or left a handle open\n`;
      this.kill();
    }, this.#limitMs);
    await new Promise<void>((done) => {
      this.#stopWaiting = done;
      this.#child.send({ ...order, path: resolve(order.path) } satisfies Order, () => undefined);
    });
    if (!order.isShared) await this.#end();
    clearTimeout(timer);
    if (!this.isRunning) {
      await this.#gone;
      result.exit = this.#exit();
    }
    this.#result = undefined;
    result.durationMs = performance.now() - startedAt;
    return result;
  }

  /** Ends a worker that has no more files. Returns how it ended, or undefined if that was in order. */
  async end(): Promise<string | undefined> {
    const timer = setTimeout(() => this.kill(), END_MS);
    await this.#end();
    clearTimeout(timer);
    return this.#exit();
  }

  /** Kills the process and all that it started. */
  kill(): void {
    if (this.#child.pid !== undefined && this.isRunning) process.kill(-this.#child.pid, 'SIGKILL');
  }

  async #end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#gone;
  }

  #exit(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return exitCode === 0 ? undefined : (signalCode ?? `exit code ${exitCode}`);
  }

  #read(message: WorkerMessage): void {
    const result = this.#result;
    if (result === undefined) return;
    if (message.type === 'began') result.begun = message.path;
    if (message.type === 'result') addTest(result, message);
    if (message.type !== 'ended') return;
    result.hasEnded = true;
    result.cpuMs = message.cpuMs;
    this.#endIfComplete();
  }

  /** Adds the results in the output to the result of the file, up to the mark of its end. */
  #readOutput(output: Readable): void {
    // The start of a mark, if a mark came in two parts.
    let held = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      const [before = '', ...after] = `${held}${text}`.split(OUTPUT_END);
      const all = [before, ...after].join('');
      const start = all.lastIndexOf(OUTPUT_END.charAt(0));
      held = start !== -1 && OUTPUT_END.startsWith(all.slice(start)) ? all.slice(start) : '';
      if (this.#result !== undefined) this.#result.output += all.slice(0, all.length - held.length);
      this.#outputsOpen -= after.length;
      this.#endIfComplete();
    });
  }

  #endIfComplete(): void {
    if (this.#result?.hasEnded && this.#outputsOpen === 0) this.#stopWaiting();
  }
}
