import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { ChangeHooks, type AppliedChange } from '@sluice/registry';
import { collectOldInBurst } from '../../src/process/memory.ts';

describe('collectOldInBurst', () => {
  const sparing = ['--memory-saver-mode', '--incremental-marking-soft-trigger=35'];
  const usual = ['--no-memory-saver-mode', '--incremental-marking-soft-trigger=0'];

  /** Records V8 options, and simulates changes at intervals in milliseconds. */
  function collector(
    nodeOptions: string[],
    quiet = 60_000,
  ): { set: string[]; change: (count: number, apart: number) => void } {
    const { committed } = new ChangeHooks(silentLogger);
    const set: string[] = [];
    let time = 5000;
    const now = (): number => time;
    collectOldInBurst({ committed }, { quiet, nodeOptions, set: (option) => void set.push(option), now });
    const change = (count: number, apart: number): void => {
      for (let i = 0; i < count; i++) {
        time += apart;
        committed.call({} as AppliedChange);
      }
    };
    return { set, change };
  }

  it('collectOldInBurst sets V8 options once after four hundred changes within a second', () => {
    const { set, change } = collector([]);
    change(399, 2);
    expect(set).to.deep.equal([]);
    change(1, 2);
    expect(set).to.deep.equal(sparing);
    change(2000, 2);
    expect(set).to.deep.equal(sparing);
  });

  it('collectOldInBurst changes no settings for fewer changes over any period', () => {
    const { set, change } = collector([]);
    change(10_000, 10);
    change(10_000, 3);
    expect(set).to.deep.equal([]);
  });

  it('collectOldInBurst restores the defaults after a quiet period, and restarts with the next burst', async () => {
    const { set, change } = collector([], 1);
    change(400, 1);
    while (set.length < 4) await sleep(5);
    change(400, 1);
    expect(set).to.deep.equal([...sparing, ...usual, ...sparing]);
  });

  it('collectOldInBurst has no effect if the user has set one of the options', () => {
    for (const options of ['--memory-saver-mode', '--inspect --incremental_marking_soft_trigger=3']) {
      const { set, change } = collector([options]);
      change(400, 1);
      expect(set).to.deep.equal([]);
    }
  });

  it('V8 supports the options that collectOldInBurst sets', () => {
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const option of sparing) expect(known).to.contain(`${option.replace(/=.*/, '')} (`);
  });
});
