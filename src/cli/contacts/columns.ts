/** Maps the columns of a CSV file to the fields of a contact. */
import { CommandError } from '../command.ts';
import { readNumbers } from './typed-numbers.ts';

/** A contact in the form that `POST /contacts/upsert` takes. */
export type Person = {
  readonly name: string;
  readonly company?: string;
  readonly phone_numbers?: readonly string[];
  readonly email?: string;
  readonly external_ref?: string;
};

const FIELDS = ['name', 'first_name', 'last_name', 'company', 'phone_numbers', 'email', 'external_ref'] as const;
type Field = (typeof FIELDS)[number];

/**
 * The names of columns in lower case. One space replaces all characters between two words that are not letters. So the
 * name of a telephone column may have a number.
 */
const NAMES: Readonly<Record<Field, RegExp>> = {
  name: /^(name|full name|display name|contact|contact name|customer|customer name|file as)$/,
  first_name: /^(first|first name|given name|forename)$/,
  last_name: /^(last|last name|family name|surname)$/,
  company: /^(company|company name|organi[sz]ation|organi[sz]ation name|business|business name|account name)$/,
  phone_numbers:
    /^((home|work|office|business|mobile|cell|main|primary|other|company) )?(phone|tel|telephone|mobile|cell)( (number|numbers|no|value))?$|^(mobile|cell|cellphone)$/,
  email: /^(primary )?e ?mail( (address|value))?$/,
  external_ref: /^(external ref|external reference|external id|reference|ref|customer id|contact id|client id)$/,
};

export type Columns = {
  /** Columns that are ignored. */
  readonly unused: readonly string[];
  /** Returns the person in a record, or the reason why the record has none. */
  read(cells: readonly string[]): Person | string;
};

/**
 * Reads the first line of a file.
 * @param named columns that the user has chosen, in the form `FIELD=COLUMN`
 * @throws CommandError if no column identifies the contacts
 */
export function readColumns(header: readonly string[], named: readonly string[]): Columns {
  const chosen = new Map(named.map((choice) => chosenColumn(header, choice)));
  const fields = header.map((title, index) => chosen.get(index) ?? fieldOf(title, new Set(chosen.values())));
  const at = (field: Field) => fields.flatMap((chosenField, index) => (chosenField === field ? [index] : []));
  const [refs, numbers] = [at('external_ref'), at('phone_numbers')];
  const names = [...at('name'), ...at('first_name'), ...at('last_name'), ...at('company')];
  if (names.length === 0) throw new CommandError(noColumn('name', 'name', header));
  if (refs.length + numbers.length === 0)
    throw new CommandError(noColumn('number or reference', 'phone_numbers', header));
  return {
    unused: header.filter((_, index) => fields[index] === undefined),
    read: (cells) => {
      if (cells.slice(header.length).some((cell) => cell !== '')) return 'it has more cells than the first line has';
      const first = (field: Field) => at(field).flatMap((index) => cells[index] || [])[0];
      return personOf({
        ...{ name: first('name'), company: first('company'), email: first('email'), ref: first('external_ref') },
        parts: [first('first_name'), first('last_name')].filter((part) => part !== undefined),
        numbers: numbers.map((index) => cells[index] ?? ''),
      });
    },
  };
}

type Said = {
  readonly name: string | undefined;
  readonly parts: readonly string[];
  readonly company: string | undefined;
  readonly email: string | undefined;
  readonly ref: string | undefined;
  readonly numbers: readonly string[];
};

/** An empty cell does not change the field of an existing contact. */
function personOf({ name = '', parts, company, email, ref, numbers }: Said): Person | string {
  const full = name || parts.join(' ') || company;
  if (full === undefined) return 'it has no name';
  const read = numbers.flatMap(readNumbers);
  const wrong = read.flatMap((entry) => ('why' in entry ? [entry.why] : []));
  if (wrong.length > 0) return wrong.join('; ');
  const known = [...new Set(read.flatMap((entry) => ('number' in entry ? [entry.number] : [])))];
  if (known.length === 0 && ref === undefined) return 'it has neither a number nor a reference';
  return {
    name: full,
    ...(company !== undefined && { company }),
    ...(known.length > 0 && { phone_numbers: known }),
    ...(email !== undefined && { email }),
    ...(ref !== undefined && { external_ref: ref }),
  };
}

function fieldOf(title: string, taken: ReadonlySet<Field>): Field | undefined {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
  return FIELDS.find((field) => !taken.has(field) && NAMES[field].test(plain));
}

function chosenColumn(header: readonly string[], text: string): readonly [number, Field] {
  const [, field = '', title = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const known = FIELDS.find((candidate) => candidate === field);
  if (known === undefined)
    throw new CommandError(`--column is FIELD=COLUMN, and a field is one of ${FIELDS.join(', ')}.`);
  const index = header.indexOf(title.trim());
  if (index === -1) throw new CommandError(`There is no column ${title}. ${columnsOf(header)}`);
  return [index, known];
}

function noColumn(what: string, field: Field, header: readonly string[]): string {
  return `No column has the ${what}. ${columnsOf(header)} Choose one with --column ${field}=COLUMN.`;
}

function columnsOf(header: readonly string[]): string {
  return `The first line has: ${header.join(', ')}.`;
}
