import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const source = fileURLToPath(new URL('../../src/process/memory.ts', import.meta.url));

/**
 * MiB of the half in use of the young generations of the first thread and of a worker that both make much that lives a while:
 * after sixty rounds of it, or as soon after them as it is small.
 */
function youngGenerations(nodeOptions: string): number[] {
  const work = `
    const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
    let kept = [], size = 0;
    for (let round = 0; round < 60 || (round < 600 && size > 4.1); round++) {
      for (let i = 0; i < 20_000; i++) kept.push({ i, list: [i] });
      if (kept.length > 200_000) kept = kept.slice(100_000);
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      size = (young.space_used_size + young.space_available_size) / 2 ** 20;
    }
    console.log(String(size));`;
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
    // The first has been larger when it is told, and gives it back by and by.
    for (const size of youngGenerations('')) expect(size).to.be.within(3.9, 4.1);
  });

  it('leaves it to who has set it for Node', () => {
    for (const size of youngGenerations('--max-semi-space-size=16')) expect(size).to.be.above(14);
  });
});

/** MiB that V8 took at most outside of its heaps, while a process compiled hundreds of functions: the median of seven processes. */
function mostForCompilations(prepare: string): number {
  const script = `
    import { getHeapStatistics } from 'node:v8';
    import { freeCompilationsAtOnce } from ${JSON.stringify(source)};
    ${prepare};
    const body = Array.from({ length: 60 }, (_, i) => 'if (a.v > ' + i + ') { s += a.v * ' + i + ' + b.x; a.y = f(s, ' + i + '); }').join(' ');
    for (let n = 0; n < 300; n++) {
      const made = new Function('a', 'b', 'const f = (p, q) => p + q + ' + n + '; let s = 0; ' + body + ' return s;');
      for (let i = 0; i < 600; i++) made({ v: i % 50, y: 0 }, { x: 1 });
    }
    console.log(String(getHeapStatistics().peak_malloced_memory / 2 ** 20));`;
  const run = (): number =>
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
  return Array.from({ length: 7 }, run).sort((a, b) => a - b)[3] ?? Number.NaN;
}

describe('freeCompilationsAtOnce', () => {
  it('keeps what is compiled from piling up', function () {
    this.timeout(60_000);
    // On a busy machine some of them come late all the same, and it is less that piles up without: 17 to 27 MiB, else 17 to 176.
    expect(mostForCompilations('freeCompilationsAtOnce()')).to.be.below(0.75 * mostForCompilations(''));
  });
});
