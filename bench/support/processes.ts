import { type ChildProcess, fork } from 'node:child_process';

/** Starts a TypeScript program as a child and resolves with the first message it sends. */
export async function startChild<Message>(
  program: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; message: Message }> {
  const child = fork(new URL(program, import.meta.url), args, { stdio: 'inherit' });
  const message = await new Promise<Message>((resolve, reject) => {
    child.once('message', (sent) => resolve(sent as Message));
    child.once('exit', (code) => reject(new Error(`${program} ended with code ${code} before it was ready`)));
  });
  return { child, message };
}
