/** Runs programs that are compiled to WebAssembly for WASI, in memory (`wasi.ts`). */
import { createMemoryFile } from './memory-file.ts';
import { ProgramExit, wasiFunctions } from './wasi.ts';

export type ProgramRun = {
  /** The name of the program, and its arguments. */
  readonly args: readonly string[];
  /** The files that the program finds, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The name of the file that the program writes. */
  readonly output: string;
  readonly outputBytesMax: number;
};

/**
 * Runs a program to its end, on this thread. Returns the file that it wrote.
 * @throws Error if it ends with another code than 0, writes no such file or writes too much
 */
export function runProgram(module: WebAssembly.Module, run: ProgramRun): Uint8Array<ArrayBuffer> {
  const files = new Map(
    Object.entries(run.files).map(([name, content]) => [name, createMemoryFile(content.length, content)]),
  );
  const functions = wasiFunctions(
    { args: run.args, files, fileBytesMax: run.outputBytesMax },
    () => exports.memory.buffer,
  );
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: functions });
  const exports = instance.exports as { readonly memory: WebAssembly.Memory; readonly _start: () => void };
  try {
    exports._start();
  } catch (error) {
    if (!(error instanceof ProgramExit) || error.code !== 0) throw error;
  }
  const output = files.get(run.output);
  if (output === undefined) throw new Error(`the program wrote no file "${run.output}"`);
  return output.content();
}
