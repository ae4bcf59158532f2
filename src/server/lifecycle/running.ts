import type { Product } from '../compose.ts';
import type { FirstKeys } from '../install/first-keys.ts';

export type Running = {
  readonly product: Product;
  /** The base address, without /v1. */
  readonly url: string;
  /** The address of the separate listener for metrics; null if there is none. */
  readonly metricsUrl: string | null;
  /** Undefined without an embedded database, or if the file of keys was removed. */
  readonly keys: FirstKeys | undefined;
  /** True if the database has no account yet. */
  readonly lacksAccount: boolean;
  /** Makes a link that signs an operator in to the console; null if this process does not serve the console. */
  readonly makeConsoleLink: (() => Promise<string>) | null;
  /** Resolves with a sentence if the embedded database ends unexpectedly. Otherwise it never resolves. */
  readonly lost: Promise<string>;
  /**
   * Takes the process out of service. With `lameDuck` it first waits so that balancers can notice. Then it waits at
   * most the configured drain time for the audio on this node to end.
   */
  drain(options: { lameDuck: boolean }): Promise<void>;
  /** Finishes running work and stops. May be called twice. */
  stop(): Promise<void>;
};

/** The database of an installation, and its secret. `lost` is the same as `Running.lost`. */
export type Install = {
  readonly databaseUrl: string;
  readonly secret: string;
  readonly lost: Promise<string>;
  /** On a first start, resolves when commits of the database are durable. Requests are accepted after that. */
  readonly synced: Promise<void>;
};

/** The steps that undo a start. They are in the order of the start. */
export type Undo = (() => Promise<void> | void)[];

/**
 * Undoes all steps, in reverse order. If a step fails, the others still run, such as the end of PostgreSQL.
 * @throws the error of a step, after all steps
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
