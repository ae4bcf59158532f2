/** Reads server-sent events (WHATWG HTML, 9.2.6). */
import { StringDecoder } from 'node:string_decoder';

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

/** Returns a function that takes the pieces of a reply in order, and returns the data of events as they complete. */
export function createEventReader(): (piece: Buffer) => string[] {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (piece) => {
    rest += decoder.write(piece);
    const end = [...rest.matchAll(/\r\n\r\n|\n\n|\r\r/g)].at(-1);
    if (end === undefined) return [];
    const complete = rest.slice(0, end.index + end[0].length);
    rest = rest.slice(complete.length);
    return eventsOf(complete);
  };
}

/** The data of the event that ends a stream of completions. */
export const STREAM_END = '[DONE]';
