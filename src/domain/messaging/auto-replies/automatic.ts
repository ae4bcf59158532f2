/** Texts that a machine has written. No person reads an answer to them. */

/**
 * Phrases of automatic replies about themselves, in English, Spanish and French; of telephones, mailboxes and shops.
 */
const MARKS: readonly RegExp[] = [
  /\bauto(?:mat(?:ic|ed))?[ -]?(?:reply|replies|response|responder|message|text)\b/,
  /\b(?:do not|don't|please don't) (?:reply|respond|text back)\b/,
  /\bno[ -]?reply\b/,
  /\b(?:un)?monitored\b.*\b(?:inbox|mailbox|number|line)\b|\b(?:inbox|mailbox|number|line)\b.*\b(?:un|not )monitored\b/,
  /\bout of (?:the )?office\b/,
  /\b(?:i'm|i am) driving(?: right now)?[.!]?$/,
  /\b(?:i'm|i am) driving with\b/,
  /\bdriving with (?:do not disturb|focus)\b/,
  /\bwe(?:'ve| have) received your (?:message|text)\b/,
  /\b(?:respuesta|mensaje) automátic[ao]\b/,
  /\bno responda a este (?:mensaje|número)\b/,
  /\b(?:réponse|message) automatique\b/,
  /\bne pas répondre\b/,
];

/** Returns true if a text says that a machine has written it. */
export function isAutomatic(body: string): boolean {
  const text = body.toLowerCase().replaceAll('\u2019', "'");
  return MARKS.some((mark) => mark.test(text));
}
