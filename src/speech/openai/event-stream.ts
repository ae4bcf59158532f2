/** Reads a reply that comes as server-sent events (WHATWG HTML, 9.2.6), whole. */

/** The contents of the events, in order; the line breaks of one that has several lines are kept. */
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
  // What is not followed by an empty line was cut off.
  return events;
}

/** What ends a stream of completions. */
export const STREAM_END = '[DONE]';
