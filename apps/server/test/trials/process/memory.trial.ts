import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const source = fileURLToPath(new URL('../../../src/process/memory.ts', import.meta.url));

/**
 * Returns the size in MiB of the active semi-spaces of the main thread and a worker. Both create many temporary objects.
 *
 * The size is measured after sixty rounds, or later as soon as it is small.
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
  it('keepYoungGenerationSmall limits the young generation of all threads to a few MiB', () => {
    // The young generation of the main thread was larger before the call, and it shrinks over time.
    for (const size of youngGenerations('')) expect(size).to.be.within(3.9, 4.1);
  });

  it('keepYoungGenerationSmall has no effect if the user has set a size', () => {
    for (const size of youngGenerations('--max-semi-space-size=16')) expect(size).to.be.above(14);
  });
});

/**
 * Returns the maximum memory in MiB that V8 used outside its heaps while a process compiled hundreds of functions. The result is the median
 * of seven processes.
 */
function maxForCompilations(prepare: string): number {
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
  it('freeCompilationsAtOnce limits the memory used for compiled code', function () {
    this.timeout(60_000);
    // On a busy machine, V8 frees some memory late even with the setting, and accumulates less memory without the setting. Measured: 17 to
    // 27 MiB with the setting, and 17 to 176 MiB without the setting.
    expect(maxForCompilations('freeCompilationsAtOnce()')).to.be.below(0.75 * maxForCompilations(''));
  });
});
