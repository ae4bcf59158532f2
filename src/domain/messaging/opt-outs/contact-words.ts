import type { PhraseLists } from './grammar.ts';

/** The channel that a person asks to end. */
export type Channel = 'text' | 'call';

/**
 * The words for a contact, by the channel that they name; `any` is a contact of every channel. Words of another channel
 * count only next to words of this channel ("stop calling and texting me"). "stop the call", in the singular, means the
 * current call.
 */
const CONTACTS = [
  {
    channel: 'text',
    things: 'texts|txts|messages|msgs|sms',
    thing: 'text|txt|message|msg',
    doing: 'texting|txting|messaging',
    act: 'text|txt|message|sms',
    done: 'texted|messaged',
  },
  {
    channel: 'any',
    things:
      'alerts|notifications|reminders|updates|offers|promotions|promos|ads|advertisements|solicitations|' +
      'communications|communication',
    thing: 'spam',
    doing: 'contacting|spamming|bothering|harassing|pestering',
    act: 'contact',
    done: 'contacted',
  },
  {
    channel: 'call',
    things: 'calls|voicemails|robocalls',
    doing: 'calling|phoning',
    act: 'call|phone',
    done: 'called|phoned',
  },
  {
    channel: 'email',
    things: 'emails',
    doing: 'emailing|mailing',
    act: 'email|mail',
    done: 'emailed',
  },
] as const;

/** Returns the lists of the words for a contact: for the channels to end (`own_…`), and for the others (`other_…`). */
export function contactLists(channels: readonly Channel[]): PhraseLists {
  const lists: Record<string, string[]> = {};
  for (const { channel, ...words } of CONTACTS) {
    const isOwn = channel === 'any' || channels.some((ended) => ended === channel);
    const side = isOwn ? 'own' : 'other';
    for (const [kind, alternatives] of Object.entries(words)) {
      const name = `${side}_${kind}`;
      lists[name] = [...(lists[name] ?? []), alternatives];
    }
  }
  return lists;
}
