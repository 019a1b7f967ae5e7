import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { does } from '../src/only-what-is-used.ts';

describe('packaging of worker.ts', () => {
  it('the bundler preserves the side effects of thread files', () => {
    const worker = resolve(import.meta.dirname, '../../../apps/server/src/worker.ts');
    const started = [...readFileSync(worker, 'utf8').matchAll(/await import\('([^']+)'\)/g)].map(
      ([, file = '']) => file,
    );
    expect(started.length).to.be.above(1);
    for (const file of started) expect(does.test(resolve(worker, '..', file)), file).to.equal(true);
  });
});
