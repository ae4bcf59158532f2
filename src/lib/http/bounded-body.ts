/** Reads a body of at most `bytesMax`. For a longer body, closes the connection and returns undefined. */
export async function readBounded(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A return from the loop closes the connection.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
