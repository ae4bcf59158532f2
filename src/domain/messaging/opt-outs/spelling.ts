/** Words that are recognised with one letter missing, doubled, wrong or in its neighbour's place. */
const WORDS = ['unsubscribe', 'messages', 'messaging', 'reminders', 'notifications', 'mensajes', 'notificaciones'];
const WORDS_MIN = Math.min(...WORDS.map((word) => word.length));

/** Words of other meanings that are one letter away, and the singular of each. */
const OTHER_WORDS = new Set(
  [
    'message|messaged|messager|massages|massaging|passages|reminder|reminded|remainders|remaindered',
    'notification|mensaje|notificacion|unsubscribed|unsubscriber|unsubscribes|subscribe',
  ].flatMap((words) => words.split('|')),
);

/** Returns the word that was meant, or the word itself. No word is near two of WORDS. */
export function respelled(word: string): string {
  if (word.length < WORDS_MIN - 1 || OTHER_WORDS.has(word)) return word;
  return WORDS.find((meant) => isNear(word, meant)) ?? word;
}

/** Returns true if one change of one letter, or a swap of two neighbours, makes one word the other. */
function isNear(word: string, meant: string): boolean {
  const lengths = word.length - meant.length;
  if (Math.abs(lengths) > 1) return false;
  let same = 0;
  while (same < word.length && word[same] === meant[same]) same += 1;
  const rest = (text: string, skipped: number) => text.slice(same + skipped);
  if (lengths === 1) return rest(word, 1) === rest(meant, 0);
  if (lengths === -1) return rest(word, 0) === rest(meant, 1);
  const swapped = word[same] === meant[same + 1] && word[same + 1] === meant[same];
  return rest(word, 1) === rest(meant, 1) || (swapped && rest(word, 2) === rest(meant, 2));
}
