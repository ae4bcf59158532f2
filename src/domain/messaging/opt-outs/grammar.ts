/**
 * Named lists of phrases. The notation of a phrase is a row of pieces with spaces between: `stop` is a word, `me|us` is
 * one of some words, `<list>` is a phrase of that list. `?` makes a piece optional, `*` optional and repeatable. A
 * phrase has at least one piece that is neither, and no list contains itself.
 */
export type PhraseLists = Readonly<Record<string, readonly string[]>>;

type Piece = {
  readonly words: ReadonlySet<string>;
  /** The list that the piece names; null for words. */
  readonly list: string | null;
  readonly optional: boolean;
  readonly repeatable: boolean;
};

type Phrase = { readonly pieces: readonly Piece[]; readonly firstWords: ReadonlySet<string> };

/** Phrases that are compared with the words of a sentence. */
export class Grammar {
  readonly #source: PhraseLists;
  readonly #lists = new Map<string, readonly Phrase[]>();

  constructor(source: PhraseLists) {
    this.#source = source;
    for (const name of Object.keys(source)) this.phrasesOf(name);
  }

  read(words: readonly string[]): Reading {
    return new Reading(this, words);
  }

  phrasesOf(name: string): readonly Phrase[] {
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const source = this.#source[name];
    if (source === undefined) throw new Error(`no list of phrases is named ${name}`);
    const phrases = source.map((text) => this.#parse(text));
    this.#lists.set(name, phrases);
    return phrases;
  }

  #parse(text: string): Phrase {
    const pieces = text.split(' ').map(parsePiece);
    const firstWords = new Set<string>();
    for (const { words, list, optional } of pieces) {
      for (const word of words) firstWords.add(word);
      for (const phrase of list === null ? [] : this.phrasesOf(list)) {
        for (const word of phrase.firstWords) firstWords.add(word);
      }
      if (!optional) return { pieces, firstWords };
    }
    throw new Error(`a phrase of nothing: ${text}`);
  }
}

function parsePiece(text: string): Piece {
  const suffix = text.at(-1) ?? '';
  const marked = suffix === '?' || suffix === '*';
  const bare = marked ? text.slice(0, -1) : text;
  const list = bare.startsWith('<') ? bare.slice(1, -1) : null;
  return { words: new Set(list === null ? bare.split('|') : []), list, optional: marked, repeatable: suffix === '*' };
}

/**
 * One sentence. The ends of each list are computed once for each start word, so the work grows linearly with the number
 * of words.
 */
export class Reading {
  readonly #grammar: Grammar;
  readonly #words: readonly string[];
  readonly #ends = new Map<string, (readonly number[] | undefined)[]>();

  constructor(grammar: Grammar, words: readonly string[]) {
    this.#grammar = grammar;
    this.#words = words;
  }

  /** Returns true if all words are one phrase of the list. */
  is(list: string): boolean {
    return this.#endsOf(list, 0).includes(this.#words.length);
  }

  /** Returns true if the first words are a phrase of the list. */
  startsWith(list: string): boolean {
    return this.#endsOf(list, 0).length > 0;
  }

  /** Returns true if words that stand together are a phrase of the list. */
  contains(list: string): boolean {
    return this.#words.some((_, start) => this.#endsOf(list, start).length > 0);
  }

  /** Returns true if the last words are a phrase of the list. */
  endsWith(list: string): boolean {
    return this.#words.some((_, start) => this.#endsOf(list, start).includes(this.#words.length));
  }

  #endsOf(list: string, start: number): readonly number[] {
    const known = this.#ends.get(list) ?? [];
    this.#ends.set(list, known);
    const cached = known[start];
    if (cached !== undefined) return cached;
    const word = this.#words[start];
    const ends = new Set<number>();
    if (word !== undefined) {
      for (const { pieces, firstWords } of this.#grammar.phrasesOf(list)) {
        if (firstWords.has(word)) for (const end of this.#endsOfPieces(pieces, start)) ends.add(end);
      }
    }
    const found = [...ends];
    known[start] = found;
    return found;
  }

  #endsOfPieces(pieces: readonly Piece[], start: number): ReadonlySet<number> {
    let reached: ReadonlySet<number> = new Set([start]);
    for (const piece of pieces) {
      const after = new Set<number>(piece.optional ? reached : []);
      // A set is iterated in insertion order, and the loop also visits values that are added during it.
      for (const from of piece.repeatable ? after : reached) {
        for (const end of this.#endsOfPiece(piece, from)) after.add(end);
      }
      if (after.size === 0) return after;
      reached = after;
    }
    return reached;
  }

  #endsOfPiece({ words, list }: Piece, from: number): readonly number[] {
    if (list !== null) return this.#endsOf(list, from);
    const word = this.#words[from];
    return word !== undefined && words.has(word) ? [from + 1] : [];
  }
}
