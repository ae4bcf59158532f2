import { after } from 'node:test';

const open: (() => unknown)[] = [];

/** Runs `close` after all tests of the file. What a file opens last is closed first, as it may use the earlier ones. */
export function closeAfterTests(close: () => unknown): void {
  const isFirst = open.push(close) === 1;
  if (!isFirst) return;
  after(async () => {
    for (const each of open.splice(0).reverse()) await each();
  });
}
