/** The lines that a person types at the phone. */
import { ownValue } from '../../../lib/own-value.ts';
import { CommandError } from '../../command.ts';
import { AWAITED, type Awaited } from './phone-events.ts';

export type Input =
  | { readonly do: 'text'; readonly body: string; readonly mediaUrls: readonly string[] }
  | { readonly do: 'to' | 'call'; readonly number: string | undefined }
  | { readonly do: 'accept' | 'decline' | 'ignore' | 'hangup' | 'texts' | 'help' | 'quit' | 'nothing' }
  | { readonly do: 'keys'; readonly digits: string }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'wait'; readonly for: Awaited | number };

export const HELP = `A line is a text to the number that texted last, or to the one of /to. What begins with / is one of
  /to +1…           the number that texts and calls go to
  /mms URL TEXT     a text with media; the text may be left out
  /call [+1…]       call the number
  /accept, /decline, /ignore   a call that rings
  /keys 12#         press digits during a call
  /say TEXT         say something during a call
  /hangup           end the call
  /texts            the last ten texts that the phone received
  /wait WHAT        wait for ${AWAITED.join(', ')}, or for so many seconds; for scripts
  /quit             leave; a call is hung up
The first letter is enough for accept, decline, ignore, call, keys, say, hangup and quit: a ring is over in five seconds.
A text that begins with / is typed with two: //`;

/** The full names of commands, by their first letter. */
const SHORT: Readonly<Record<string, string>> = {
  a: 'accept',
  d: 'decline',
  i: 'ignore',
  c: 'call',
  k: 'keys',
  s: 'say',
  h: 'hangup',
  q: 'quit',
};

/** Reads a line. Throws CommandError for an unknown command, or for one that lacks an argument. */
export function readLine(line: string): Input {
  const typed = line.trim();
  if (typed === '') return { do: 'nothing' };
  if (!typed.startsWith('/')) return { do: 'text', body: typed, mediaUrls: [] };
  if (typed.startsWith('//')) return { do: 'text', body: typed.slice(1), mediaUrls: [] };
  const [, word = '', rest = ''] = /^\/(\S*)\s*(.*)$/.exec(typed) ?? [];
  const name = word.toLowerCase();
  return readCommand(ownValue(SHORT, name) ?? name, rest);
}

function readCommand(word: string, rest: string): Input {
  switch (word) {
    case 'to':
      return { do: word, number: needed(word, rest, 'a number such as +16025550143') };
    case 'call':
      return { do: word, number: rest === '' ? undefined : rest };
    case 'mms': {
      const [url = '', ...words] = needed(word, rest, 'the address of a file, and a text').split(/\s+/);
      return { do: 'text', body: words.join(' '), mediaUrls: [url] };
    }
    case 'keys':
      return { do: word, digits: needed(word, rest, 'digits such as 12#').replaceAll(/\s/g, '') };
    case 'say':
      return { do: word, text: needed(word, rest, 'what to say') };
    case 'wait':
      return { do: word, for: awaited(rest) };
    case 'accept':
    case 'decline':
    case 'ignore':
    case 'hangup':
    case 'texts':
    case 'help':
    case 'quit':
      return { do: word };
    default:
      throw new CommandError(`There is no /${word}; /help lists all.`);
  }
}

function needed(word: string, rest: string, what: string): string {
  if (rest === '') throw new CommandError(`/${word} needs ${what}.`);
  return rest;
}

/** The longest wait that a line may ask for. */
const SECONDS_MAX = 600;

function awaited(rest: string): Awaited | number {
  const type = AWAITED.find((candidate) => candidate === rest);
  if (type !== undefined) return type;
  const seconds = Number(rest);
  if (rest !== '' && seconds >= 0 && seconds <= SECONDS_MAX) return seconds;
  throw new CommandError(`/wait needs one of ${AWAITED.join(', ')}, or seconds up to ${SECONDS_MAX}.`);
}
