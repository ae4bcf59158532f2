/** Cuts off a TCP port of loopback by dropping its packets. Neither side gets an error. */
import { execFileSync } from 'node:child_process';
import { closeAfterTests } from '../support/close-after-tests.ts';

export type Cut = {
  /** Drops all packets from and to the port from now on. */
  cut(): void;
  /** Lets packets pass again. */
  join(): void;
};

/** Prepares to cut a port off. The port is joined again when the tests end. */
export function openCut(port: number): Cut {
  const table = `inet cut_${process.pid}_${port}`;
  const load = (rules: string) => execFileSync('nft', ['-f', '-'], { input: rules, stdio: ['pipe', 'pipe', 'pipe'] });
  // Packets are dropped on arrival. Dropping them on departure would give the sender an error.
  const rules = ['sport', 'dport'].map((side) => `tcp ${side} ${port} drop\n`).join('');
  let isCut = false;
  const join = () => {
    if (isCut) load(`delete table ${table}\n`);
    isCut = false;
  };
  closeAfterTests(join);
  return {
    cut: () => {
      load(`table ${table} {\nchain incoming {\ntype filter hook input priority 0\n${rules}}\n}\n`);
      isCut = true;
    },
    join,
  };
}
