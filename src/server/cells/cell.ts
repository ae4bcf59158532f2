import type { Product } from '../compose.ts';

/** A cell in this process. */
export type Cell = {
  readonly number: number;
  readonly name: string;
  /** The product on the cell's database; undefined until that database can be opened. */
  readonly product: Product | undefined;
};
