/** Returns a typed or pasted number in the form for dialling: E.164, 911 or 933. US numbers need no country code. */
export function readNumber(text: string): string {
  const digits = text.normalize('NFKC').replaceAll(/[^\d+]/g, '');
  if (/^\d{10}$/.test(digits)) return `+1${digits}`;
  return /^1\d{10}$/.test(digits) ? `+${digits}` : digits;
}
