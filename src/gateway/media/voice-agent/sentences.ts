/** Cuts the tokens of an agent into units of speech: sentences, or parts of long ones. */

/** The end of a sentence, with quotes and brackets after it, before a space; or a line break. */
const SENTENCE_END = /[.!?…:;]+["'”’)\]]*(?=\s)|[。！？]|\n/u;
/** A longer sentence is cut at its last space or comma, so that speech starts while the rest arrives. */
const SENTENCE_CHARS_MAX = 240;
const LAST_BREAK = /^.*[\s,]/su;

export class SentenceCutter {
  #rest = '';

  /** The number of characters that do not belong to a complete sentence yet. */
  get waiting(): number {
    return this.#rest.length;
  }

  /** Adds a token. Returns the sentences that it completes. */
  add(token: string): string[] {
    this.#rest += token;
    const sentences: string[] = [];
    for (;;) {
      const end = this.#end();
      if (end === undefined) return sentences;
      const sentence = this.#rest.slice(0, end).trim();
      this.#rest = this.#rest.slice(end);
      if (sentence !== '') sentences.push(sentence);
    }
  }

  /** Returns the rest after the last token. */
  flush(): string[] {
    const sentence = this.#rest.trim();
    this.#rest = '';
    return sentence === '' ? [] : [sentence];
  }

  #end(): number | undefined {
    const found = SENTENCE_END.exec(this.#rest);
    const end = found === null ? undefined : found.index + found[0].length;
    if (end !== undefined && end <= SENTENCE_CHARS_MAX) return end;
    if (this.#rest.length <= SENTENCE_CHARS_MAX) return undefined;
    const [head] = LAST_BREAK.exec(this.#rest.slice(0, SENTENCE_CHARS_MAX)) ?? [];
    return head?.length ?? SENTENCE_CHARS_MAX;
  }
}
