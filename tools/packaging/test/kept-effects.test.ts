import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { rolldown } from 'rolldown';
import { minify } from '../src/bundle.ts';
import { workspaceRoot } from '../src/workspace.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bundles a workspace module and returns its exports. */
async function bundled(path: string): Promise<Record<string, unknown>> {
  const build = await rolldown({ input: join(workspaceRoot, path), platform: 'node' });
  const { output } = await build.generate({ format: 'esm', minify });
  await build.close();
  const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>;
}

describe('packaging and tree shaking', () => {
  it('the bundler preserves string concatenations whose only effect is inside V8', async function () {
    this.timeout(60_000);
    const { flat } = (await bundled('libs/base/src/text/flat.ts')) as { flat: (text: string) => string };
    const join = (half: string, times: number): string[] => Array.from({ length: times }, (_, i) => flat(half + i));
    for (let i = 0; i < 30_000; i++) expect(join('abcdefghijklmnop', 20).length).to.equal(20);
    const long = flat('x'.repeat(1 << 20));
    collect();
    const before = process.memoryUsage().heapUsed;
    const texts = join(long, 50);
    collect();
    expect(process.memoryUsage().heapUsed - before).to.be.above(40 << 20);
    expect(texts).to.have.length(50);
  });
});
