/** Reads a complete reply of server-sent events (WHATWG HTML, 9.2.6). */

/** Returns the data of the events, in order. The lines of one event are joined by line breaks. */
export function eventsOf(text: string): string[] {
  const events: string[] = [];
  let lines: string[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    if (line === '') {
      if (lines.length > 0) events.push(lines.join('\n'));
      lines = [];
    } else if (line === 'data' || line.startsWith('data:')) {
      lines.push(line.slice('data:'.length).replace(/^ /, ''));
    }
  }
  // An event without an empty line after it was cut off, and is dropped.
  return events;
}

/** The data of the event that ends a stream of completions. */
export const STREAM_END = '[DONE]';
