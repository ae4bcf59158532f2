import type { Product } from '../compose.ts';
import type { FirstKeys } from '../install/first-keys.ts';

export type Running = {
  readonly product: Product;
  /** Base address, without /v1. */
  readonly url: string;
  /** Address of the metrics' own listener; null if there is none. */
  readonly metricsUrl: string | null;
  /** Undefined without an embedded database, or if the file of the keys was removed. */
  readonly keys: FirstKeys | undefined;
  /** True if the database has no account yet. */
  readonly lacksAccount: boolean;
  /** Makes a link that signs an operator in to the console; null if this process does not serve the console. */
  readonly makeConsoleLink: (() => Promise<string>) | null;
  /** If the embedded database ends unexpectedly, resolves with a sentence about it. Otherwise never resolves. */
  readonly lost: Promise<string>;
  /**
   * Takes the process out of service, with `lameDuck` after the time that balancers need to notice. Waits until the
   * audio on this node has ended, at most the configured drain time.
   */
  drain(options: { lameDuck: boolean }): Promise<void>;
  /** Finishes the work under way and stops; safe to call twice. */
  stop(): Promise<void>;
};

/** The database of an installation, and its secret. `lost` has the meaning of `Running.lost`. */
export type Install = {
  readonly databaseUrl: string;
  readonly secret: string;
  readonly lost: Promise<string>;
  /** On a first start, resolves when the commits of the database are durable. No request is taken before. */
  readonly synced: Promise<void>;
};

/** The steps that undo a start, in the order of the start. */
export type Undo = (() => Promise<void> | void)[];

/**
 * Undoes all steps, the last first. If a step fails, the other steps, such as the end of PostgreSQL, still run.
 * @throws the error of a step, when all are done
 */
export async function undoAll(undo: Undo): Promise<void> {
  const problems: unknown[] = [];
  for (const step of undo.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems.length === 1 ? problems[0] : new AggregateError(problems);
}
