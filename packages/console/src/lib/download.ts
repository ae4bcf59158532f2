/** Hands a text to the person as a file. */
export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it when click() returns; some read on for a moment.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
