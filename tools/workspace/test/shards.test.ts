import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { divide, longTestFiles, shardsOf, testFiles } from '../shards.mjs';

describe('workspace script: shards', () => {
  it('divide() returns one shard for a package whose tests take about a minute', () => {
    expect(divide(['b', 'a'], { a: 70_000, b: 10_000 })).to.deep.equal([['a', 'b']]);
    expect(divide([], {})).to.deep.equal([[]]);
  });

  it('divide() balances durations: a long file gets a separate shard', () => {
    const times = { a: 120_000, b: 40_000, c: 40_000, d: 40_000 };
    expect(divide(['a', 'b', 'c', 'd'], times)).to.deep.equal([['a'], ['b'], ['c'], ['d']]);
    expect(divide(['a', 'b', 'c'], { a: 70_000, b: 30_000, c: 30_000 })).to.deep.equal([['a'], ['b'], ['c']]);
  });

  it('divide() puts each file into exactly one shard, leaves no shard empty, and balances shards to within one file', () => {
    const files = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.integer({ min: 1, max: 100_000 })), {
      selector: ([name]) => name,
      minLength: 1,
    });
    fc.assert(
      fc.property(files, (entries) => {
        const times = Object.fromEntries(entries);
        const names = entries.map(([name]) => name);
        const shards = divide(names, times);
        expect(shards.flat().sort()).to.deep.equal(names.sort());
        const sums = shards.map((shard) => shard.reduce((sum, name) => sum + times[name]!, 0));
        expect(Math.min(...sums)).to.be.greaterThan(0);
        const longest = Math.max(...entries.map(([, time]) => time));
        expect(Math.max(...sums) - Math.min(...sums)).to.be.at.most(longest);
      }),
    );
  });

  describe('workspace script: shards in a workspace', () => {
    let root = '';
    const write = (file: string, text = ''): void => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    };

    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'sluice-shards-'));
      for (const name of ['b.test.ts', 'deep/a.test.ts', 'long.trial.ts', 'support.ts']) write(`libs/x/test/${name}`);
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it('longTestFiles returns the files that contain a test with @long in its title', () => {
      write('libs/x/test/deep/a.test.ts', "it('waits for a clock @long', () => {});");
      expect(longTestFiles('libs/x', root)).to.deep.equal(['libs/x/test/deep/a.test.ts']);
    });

    it('shardsOf includes tests, but no trials', () => {
      expect(shardsOf('libs/x', root)).to.deep.equal([['libs/x/test/b.test.ts', 'libs/x/test/deep/a.test.ts']]);
      expect(testFiles('libs/x', '.trial.ts', root)).to.deep.equal(['libs/x/test/long.trial.ts']);
    });

    it('shardsOf uses the recorded durations', () => {
      const times = { 'libs/x/test/b.test.ts': 80_000, 'libs/x/test/deep/a.test.ts': 20_000 };
      write('tools/workspace/test-durations.json', JSON.stringify(times));
      expect(shardsOf('libs/x', root)).to.have.length(2);
    });
  });
});
