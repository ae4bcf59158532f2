/**
 * The conformance suites state what the domain relies on, whichever carrier is behind the port: one file a capability,
 * one suite that every adapter passes. A suite runs on a subject, which is the adapter and the world behind it. The
 * simulated carrier runs in process (simulated.test.ts) and behind HTTP (wire.test.ts), live carriers run against
 * recorded exchanges.
 */
import { after, before } from 'node:test';

/**
 * Makes a subject before the tests of the enclosing `describe`, and closes it after them. Returns a function that
 * returns the subject.
 */
export function useSubject<Subject extends { close(): Promise<void> }>(
  makeSubject: () => Promise<Subject>,
): () => Subject {
  let subject: Subject;
  before(async () => {
    subject = await makeSubject();
  });
  after(() => subject.close());
  return () => subject;
}
