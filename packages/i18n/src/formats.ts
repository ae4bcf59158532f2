/** Numbers, plurals and dates as one locale writes them. */

/** A text for each plural category. `other` is used for a category without a text. */
export type PluralForms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

export type Formats = {
  number(value: number): string;
  /** Returns the form for the count, such as the forms in "1 part" and "2 parts". */
  plural(count: number, forms: PluralForms): string;
  /** Writes a moment. The options must be a constant: a format is made once for each. */
  date(options: Intl.DateTimeFormatOptions, moment: Date): string;
};

export function createFormats(tag: string): Formats {
  const numbers = new Intl.NumberFormat(tag);
  const plurals = new Intl.PluralRules(tag);
  const dates = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>();
  return {
    number: (value) => numbers.format(value),
    plural: (count, forms) => forms[plurals.select(count)] ?? forms.other,
    date: (options, moment) => {
      const format = dates.get(options) ?? new Intl.DateTimeFormat(tag, options);
      dates.set(options, format);
      return format.format(moment);
    },
  };
}
