import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const source = fileURLToPath(new URL('../../src/process/memory.ts', import.meta.url));

/** MiB of the young generations of the first thread and of a worker that both make much that lives a while. */
function youngGenerations(nodeOptions: string): number[] {
  const work = `
    const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
    let kept = [], largest = 0;
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 20_000; i++) kept.push({ i, list: [i] });
      if (kept.length > 200_000) kept = kept.slice(100_000);
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      largest = Math.max(largest, young.space_size);
    }
    console.log(String(largest / 2 ** 20));`;
  const script = `
    import { Worker } from 'node:worker_threads';
    import { keepYoungGenerationSmall } from ${JSON.stringify(source)};
    keepYoungGenerationSmall();
    const code = ${JSON.stringify(work)};
    new Function(code)();
    new Worker(code, { eval: true });`;
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env });
  return text.trim().split('\n').map(Number);
}

describe('keepYoungGenerationSmall', () => {
  it('holds the young generation of all threads to a few MiB', () => {
    const [first, worker] = youngGenerations('') as [number, number];
    expect(first).to.be.at.most(12);
    expect(worker).to.be.within(4, 12);
  });

  it('leaves it to who has set it for Node', () => {
    for (const size of youngGenerations('--max-semi-space-size=16')) expect(size).to.be.above(12);
  });
});
