import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { ChangeHooks, type AppliedChange } from '@sluice/registry';
import { collectOldInBurst } from '../../src/process/memory.ts';

describe('collectOldInBurst', () => {
  const sparing = ['--memory-saver-mode', '--incremental-marking-soft-trigger=35'];
  const defaults = ['--no-memory-saver-mode', '--incremental-marking-soft-trigger=0'];

  /** Records V8 options and simulates configuration changes at the given intervals in milliseconds. */
  function collector(
    nodeOptions: string[],
    quiet = 60_000,
  ): { set: string[]; change: (count: number, apart: number) => void; layer: (routes: number) => void } {
    const { committed, layered } = new ChangeHooks(silentLogger);
    const set: string[] = [];
    const collect = (): void => void set.push('collect');
    let time = 5000;
    const now = (): number => time;
    collectOldInBurst(
      { committed, layered },
      { quiet, nodeOptions, set: (option) => void set.push(option), now, collect },
    );
    const change = (count: number, apart: number): void => {
      for (let i = 0; i < count; i++) {
        time += apart;
        committed.call({} as AppliedChange);
      }
    };
    const layer = (routes: number): void =>
      layered.call({
        origin: 'provider',
        operations: Array.from({ length: routes }, () => ({ op: 'remove', path: '' })),
      });
    return { set, change, layer };
  }

  it('collectOldInBurst sets V8 options once, after four hundred changes within a second', () => {
    const { set, change } = collector([]);
    change(399, 2);
    expect(set).to.deep.equal([]);
    change(1, 2);
    expect(set).to.deep.equal(sparing);
    change(2000, 2);
    expect(set).to.deep.equal(sparing);
  });

  it('collectOldInBurst sets V8 options after a provider change that adds many routes', () => {
    const { set, change, layer } = collector([]);
    layer(300);
    change(1, 20_000);
    layer(99);
    expect(set).to.deep.equal([]);
    layer(1);
    expect(set).to.deep.equal(sparing);
  });

  it('collectOldInBurst does not set V8 options for fewer changes, regardless of the time span', () => {
    const { set, change } = collector([]);
    change(10_000, 10);
    change(10_000, 3);
    expect(set).to.deep.equal([]);
  });

  it('collectOldInBurst restores the default V8 options after a quiet period, and sets them again in the next burst', async () => {
    const { set, change } = collector([], 1);
    change(400, 1);
    while (set.length < 5) await sleep(5);
    change(400, 1);
    expect(set).to.deep.equal([...sparing, ...defaults, 'collect', ...sparing]);
  });

  it('collectOldInBurst has no effect if the user has set any of these V8 options', () => {
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
