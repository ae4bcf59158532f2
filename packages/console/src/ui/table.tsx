import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import css from './table.module.css';

export type TableColumn<T> = {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'end';
  /** True for a column that narrow screens leave out. */
  readonly isWideOnly?: true;
};

type TableProps<T> = {
  /** The name of the rows, such as "Prices". */
  label: string;
  rows: readonly T[];
  columns: readonly TableColumn<T>[];
  rowId: (row: T) => string;
  /** The cells of a last row with sums, one for each column. */
  sums?: readonly ReactNode[];
};

/** A short table that is drawn as a whole. For lists of any length, use DataList. */
export function Table<T>({ label, rows, columns, rowId, sums }: TableProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls content that is wider than the page
    <div className={css.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, align, isWideOnly }) => (
              <th key={title} scope="col" className={classes(align && css.end, isWideOnly && css.wide)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {columns.map(({ title, cell, align, isWideOnly }) => (
                <td key={title} className={classes(align && css.end, isWideOnly && css.wide)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {sums !== undefined && (
          <tfoot>
            <tr>
              {columns.map(({ title, align, isWideOnly }, index) => (
                <td key={title} className={classes(align && css.end, isWideOnly && css.wide)}>
                  {sums[index]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
