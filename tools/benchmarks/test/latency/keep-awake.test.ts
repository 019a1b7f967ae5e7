import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { whileAwake } from '../../src/latency/keep-awake.ts';
import { findCommand } from '../../src/machine.ts';

const idleClass = 5;

/** Returns the child processes of this process that have idle priority. */
function idleChildren(): string[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ');
  const policyOf = (pid: string): number => {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]);
  };
  return children.filter((pid) => pid !== '' && policyOf(pid) === idleClass);
}

describe('benchmark tool: whileAwake', () => {
  before(function () {
    if (findCommand('chrt') === null || !existsSync(`/proc/self/task/${process.pid}/children`)) this.skip();
  });

  for (const fails of [false, true])
    it(`whileAwake runs an idle-priority process and terminates it ${fails ? 'on failure' : 'afterwards'}`, async () => {
      let during: string[] = [];
      const measured = async (): Promise<string> => {
        for (const end = performance.now() + 10_000; during.length === 0 && performance.now() < end; await sleep(5))
          during = idleChildren();
        if (fails) throw new Error('failed');
        return 'measured';
      };
      expect(await whileAwake(measured).catch((error: unknown) => (error as Error).message)).to.equal(
        fails ? 'failed' : 'measured',
      );
      expect(during).to.have.length(1);
      expect(idleChildren()).to.deep.equal([]);
    });
});
