/**
 * Lists whose items are found by the starts of the words in their names. A table has a row for each word of each item:
 * ledger_id, tenant_id, the item's id, and the word as `wordsOf` writes it.
 */
import { endOfPrefix } from '../lib/words.ts';
import type { Db } from './database.ts';
import { joinKeys } from './list.ts';
import { statement } from './statement.ts';

export type WordList = {
  /** Start of the names of the statements, such as `contacts_by_word`. */
  readonly name: string;
  /** The table of words, and its column with the id of the item. */
  readonly words: readonly [table: string, id: string];
  /** The table of the items and its alias. */
  readonly from: readonly [table: string, alias: string];
  /** The columns of a row, over the alias. */
  readonly columns: string;
  /** A condition on the item, over the alias. */
  readonly shown?: string;
};

/**
 * Returns SQL that is true if each word of a text (separated by spaces) is the start of a word of a thing. Uses
 * `:ledger_id`. Compares id and word as one row: only the primary key has that order, so the planner can choose no
 * other index.
 * @param id SQL of the thing's id
 */
export function hasWordsSql([table, column]: WordList['words'], text: string, id: string): string {
  return `not exists (
    select 1 from unnest(string_to_array(${text}, ' ')) as f (word)
    where not exists (
      select 1 from ${table} x
      where x.ledger_id = :ledger_id and (x.${column}, x.word) >= (${id}, f.word)
        and (x.${column}, x.word) < (${id}, f.word || '${endOfPrefix('')}')))`;
}

/** A page looks at this many words at most, so a page may have fewer things than its limit. */
const WINDOW = 200;

type Place = { readonly word: string; readonly id: string };

/** A row, and the word that found it. */
export type Found<Row> = Row & { readonly found_word: string };

export type WordPage = {
  /** Null: items of every tenant. */
  readonly tenantId: string | null;
  /** The words, as `wordsOf` returns them. Without words nothing is found. */
  readonly words: readonly string[];
  /** The page begins after this word and id. */
  readonly before: readonly string[] | null;
  readonly rows: number;
};

type Given = {
  readonly ledger_id: number;
  readonly tenant_id: string | null;
  readonly first: string;
  readonly end: string;
  readonly others: string;
  readonly word: string;
  readonly id: string;
  readonly rows: number;
};

/**
 * Returns a reader of items. An item is found if each typed word is the start of one of its words. Items are in the
 * order of the longest typed word. `next` is the position of the next page; undefined at the end of the list.
 */
export function wordReader<Row extends { readonly id: string }>(list: WordList) {
  const ofLedger = statementsOf<Row>(`${list.name}_ledger`, list, (word) => word);
  const ofTenant = statementsOf<Row>(`${list.name}_tenant`, list, (word, tenant) => joinKeys(tenant, word));
  return async (
    db: Db,
    ledgerId: number,
    { tenantId, words, before, rows }: WordPage,
  ): Promise<{ found: Found<Row>[]; next: Place | undefined }> => {
    // The longest word matches the fewest items.
    const [longest, ...others] = words.toSorted((a, b) => b.length - a.length);
    if (longest === undefined) return { found: [], next: undefined };
    const values = {
      ...{ ledger_id: ledgerId, tenant_id: tenantId, first: longest, end: endOfPrefix(longest) },
      // Begins at the first word with the prefix, if there is no position.
      ...{ word: before?.[0] ?? longest, id: before?.[1] ?? '' },
    };
    const statements = tenantId === null ? ofLedger : ofTenant;
    const found = await db.query(statements.found, { ...values, others: others.join(' '), rows: rows + 1 });
    const last = found[rows - 1];
    if (found.length > rows && last !== undefined) {
      return { found: found.slice(0, rows), next: { word: last.found_word, id: last.id } };
    }
    const [next] = await db.query(statements.last, values);
    return { found, next };
  };
}

/** Returns the first column of an index after the ledger: the word, alone or joined with its tenant (list.ts). */
type Key = (word: string, tenant: string) => string;

/** Compares the columns of the index as one row, so that no other index fits (list.ts). */
function windowSql([table, id]: WordList['words'], key: Key): string {
  const column = key('w.word', 'w.tenant_id');
  return `select w.word, w.${id} as id from ${table} w
     where w.ledger_id = :ledger_id and (${column}, w.${id}) > (${key(':word::text', ':tenant_id::text')}, :id)
       and ${column} < ${key(':end::text', ':tenant_id::text')}
     order by ${column}, w.${id} limit ${WINDOW}`;
}

function statementsOf<Row>(name: string, { words, from, columns, shown }: WordList, key: Key) {
  const [table, alias] = from;
  const [wordTable, wordId] = words;
  // An item may have several words with the prefix. It is found at the first of them. Without `offset 0` the planner
  // may compare each word of the window with all words of the ledger.
  const found = `with seen as materialized (${windowSql(words, key)})
   select ${columns}, w.word as found_word
   from seen w join ${table} ${alias} on ${alias}.ledger_id = :ledger_id and ${alias}.id = w.id
   where not exists (
       select 1 from ${wordTable} e
       where e.ledger_id = :ledger_id and (e.${wordId}, e.word) >= (w.id, :first)
         and (e.${wordId}, e.word) < (w.id, w.word) offset 0)
     and ${hasWordsSql(words, ':others::text', 'w.id')}${shown === undefined ? '' : ` and ${shown}`}
   order by w.word, w.id limit :rows`;
  const last = `select s.word, s.id from (${windowSql(words, key)}) s offset ${WINDOW - 1}`;
  return {
    found: statement<Given, Found<Row>>(`${name}_find`, found),
    last: statement<Omit<Given, 'first' | 'others' | 'rows'>, Place>(`${name}_last`, last),
  };
}
