const open: (() => unknown)[] = [];

/** Runs `close` after all tests of the file, even if a test calls this. The last opened thing is closed first. */
export function closeAfterTests(close: () => unknown): void {
  open.push(close);
}

/** Closes what the tests of a file opened. Their worker calls it. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}
