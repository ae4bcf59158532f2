/**
 * Decodes strict base64 (RFC 4648, 3.2, 3.3 and 3.5): padded, without other characters or leftover bits. Returns
 * undefined for any other text.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
    // The decoder skips white space, which makes the result too short.
    return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
  } catch {
    return undefined;
  }
}
