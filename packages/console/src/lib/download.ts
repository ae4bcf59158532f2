/** Saves a text as a file on the person's computer. */
export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers begin to read the file before click() returns. Some need a moment more.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
