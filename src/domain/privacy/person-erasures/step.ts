/** The types of the steps of an erasure. */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { ErasureCounts } from './schema.ts';

/** A person in a tenant, and the latest time of content to erase. */
export type Person = {
  readonly ledgerId: number;
  readonly tenantId: string;
  readonly number: string;
  readonly until: string;
};

export type StepContext = Pick<Context, 'cipher'>;

/** The last row that was looked at, by the parts of its key. */
export type StepPosition = { readonly scope: string; readonly key: string };

type StepInput = {
  readonly erasureId: string;
  readonly person: Person;
  readonly position?: StepPosition | undefined;
};

/** `again`: more rows may be left. `wait`: rows are left that cannot be erased yet. `step`: the step is done. */
type StepResult = {
  readonly next: 'again' | 'wait' | 'step';
  readonly counts?: Partial<ErasureCounts>;
  readonly position?: StepPosition | undefined;
};

export type Step = (context: StepContext, tx: Tx, input: StepInput) => Promise<StepResult>;
