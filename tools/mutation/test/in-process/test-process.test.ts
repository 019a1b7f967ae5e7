import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withDependents } from '../../src/in-process/dependents.ts';
import { TestProcess } from '../../src/in-process/test-process.ts';

/** A workspace with two packages. The tests of the lower-level package import it through the higher-level package. */
const files = {
  'package.json': JSON.stringify({ name: 'all', workspaces: ['libs/*'] }),
  '.mocharc.json': JSON.stringify({ require: [] }),
  'libs/low/package.json': JSON.stringify({ name: 'low' }),
  'libs/low/src/sum.ts': 'export function sum(a: number, b: number): number { return a + b; }\n',
  'libs/high/package.json': JSON.stringify({ name: 'high', dependencies: { low: '*' } }),
  'libs/high/src/twice.ts': `import { sum } from '../../low/src/sum.ts';
    export const twice = (a: number): number => sum(a, a);\n`,
  'libs/other/package.json': JSON.stringify({ name: 'other' }),
  'libs/low/test/sum.test.ts': `import { twice } from '../../high/src/twice.ts';
    it('adds', () => { if (twice(2) !== 4) throw new Error('not 4'); });\n`,
  'libs/low/test/thread.test.ts': `import { Worker } from 'node:worker_threads';
    it('starts a thread', () => new Worker('1', { eval: true }).terminate());\n`,
  'libs/low/test/process.test.ts': `import { spawnSync } from 'node:child_process';
    it('starts a process', () => { spawnSync(process.execPath, ['-e', '1']); });\n`,
  'libs/low/test/spoilt.test.ts': `import { sum } from '../src/sum.ts';
    it('leaves something behind', () => {
      globalThis.left ||= sum(1, 1) !== 2;
      if (globalThis.left) throw new Error('left');
    });\n`,
};

describe('mutation tool: TestProcess', function () {
  this.timeout(120_000);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-mutation-')));
  const file = join(root, 'libs/low/src/sum.ts');
  const source = files['libs/low/src/sum.ts'];
  const sum = source.indexOf('a + b');
  const test = (name: string) => ({ path: `libs/low/test/${name}.test.ts`, timeout: 30_000 });
  const trial = (replacement: string, name = 'sum') => ({
    kind: 'trial' as const,
    tests: [test(name)],
    mutant: { kind: 'operator' as const, file, start: sum, end: sum + 5, replacement },
  });
  let child: TestProcess;

  before(() => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    child = new TestProcess(root, 'libs/low', 1);
  });

  after(() => {
    child.end();
    rmSync(root, { recursive: true });
  });

  it('TestProcess reloads the package and its dependents', () => {
    expect(withDependents(root, 'libs/low').toSorted()).to.deep.equal(['libs/high', 'libs/low']);
    expect(withDependents(root, 'libs/high')).to.deep.equal(['libs/high']);
  });

  it('TestProcess measures the coverage of a test file and detects started threads and processes', async () => {
    const measured = await child.measure(test('sum'));
    expect(measured).to.include({ passed: true, starts: false });
    expect(measured?.scripts.map(([url]) => url)).to.deep.equal([`file://${file}`]);
    for (const name of ['thread', 'process'])
      expect(await child.measure(test(name)), name).to.include({ passed: true, starts: true });
  });

  it('TestProcess kills the mutants that a test detects, in any order', async () => {
    const verdicts = [];
    for (const text of ['a - b', 'b + a', 'a * 3', 'a * 2']) verdicts.push(await child.try(trial(text)));
    expect(verdicts).to.deep.equal(['killed', 'survived', 'killed', 'survived']);
  });

  it('TestProcess does not count leftovers of a previous mutant as a kill', async () => {
    expect(await child.try(trial('a - b', 'spoilt'))).to.equal('spoilt');
    expect(await child.try(trial('b + a', 'spoilt'))).to.equal('survived');
  });

  it('TestProcess reports an endless loop', async () => {
    expect(await child.try(trial('(() => { for (;;); })()'))).to.equal('loop');
    expect(await child.try(trial('b + a'))).to.equal('survived');
  });

  it('TestProcess reports that a mutant terminated the process', async () => {
    expect(await child.try(trial('process.exit()'))).to.equal('gone');
    expect(await child.try(trial('b + a'))).to.equal('survived');
  });
});
