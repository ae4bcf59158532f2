/** The output of the phone: on a terminal, lines above a prompt; elsewhere, lines only, or JSON. */
import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { Terminal } from '../../command.ts';
import { lineOf, type PhoneEvent } from './phone-events.ts';

export type Screen = {
  /** True if the input comes from a person at a terminal. */
  readonly isInteractive: boolean;
  greet(number: string, contact: string | undefined): void;
  show(event: PhoneEvent): void;
  note(text: string): void;
  problem(text: string): void;
  /** Starts to read lines. */
  open(): Interface;
  prompt(): void;
  close(): void;
};

type Streams = { readonly stdin: NodeJS.ReadableStream; readonly stdout: NodeJS.WritableStream };

/** Creates the screen. Reads lines from `stdin` and writes the prompt to `stdout`. */
export function createScreen(terminal: Terminal, { stdin, stdout }: Streams): Screen {
  const isInteractive = 'isTTY' in stdin && stdin.isTTY === true && terminal.isInteractive;
  let lines: Interface | undefined;
  const prompt = (keepsCursor = false) => {
    if (isInteractive) lines?.prompt(keepsCursor);
  };
  /** Writes above the line that the person is typing. */
  const above = (write: (text: string) => void) => (text: string) => {
    if (isInteractive && lines !== undefined) {
      clearLine(stdout, 0);
      cursorTo(stdout, 0);
    }
    write(text);
    prompt(true);
  };
  const [out, err] = [above(terminal.out), above(terminal.err)];
  return {
    isInteractive,
    greet: (number, contact) => {
      const goes = contact === undefined ? '/to +1… chooses the number that they go to' : `they go to ${contact}`;
      err(`Phone of ${number}. Type texts; ${goes}. /help shows more.`);
    },
    show: (event) => out(terminal.json ? JSON.stringify(event) : lineOf(event, terminal.style)),
    note: err,
    problem: err,
    open: () => {
      const output = isInteractive ? { output: stdout, terminal: true } : {};
      lines = createInterface({ input: stdin, ...output, prompt: terminal.style('bold', '> ') });
      lines.once('close', () => {
        lines = undefined;
      });
      prompt();
      return lines;
    },
    prompt: () => prompt(),
    close: () => lines?.close(),
  };
}
