import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import type { AdaptedText, AdaptingTask } from '@sluice/reconciler';
import { AdaptingPool } from '../../src/workers/adapting-pool.ts';

/** Snippets that each import the one before twice: a few lines that become many. */
function nested(levels: number): string {
  let text = `(s0) {\n${'header a bcd\n'.repeat(40)}}\n`;
  for (let i = 1; i <= levels; i++) text += `(s${i}) {\nimport s${i - 1}\nimport s${i - 1}\n}\n`;
  return `${text}:80 {\nimport s${levels}\n}\n`;
}

const task = (text: string, format = 'caddyfile'): AdaptingTask => ({
  kind: 'adapt',
  format,
  body: Buffer.from(text),
  confined: true,
  sources: false,
});

describe('the thread that adapts', function () {
  this.timeout(60_000);
  const never = new AbortController().signal;

  async function withPool<T>(
    bounds: ConstructorParameters<typeof AdaptingPool>[2],
    use: (pool: AdaptingPool) => Promise<T>,
  ): Promise<T> {
    const pool = new AdaptingPool([], silentLogger, bounds);
    try {
      return await use(pool);
    } finally {
      await pool.close();
    }
  }
  const messageOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'it was adapted',
      (error: unknown) => (error as Error).message,
    );

  it('is ended when a text needs more memory or time, or its client leaves, and the next text is adapted @long', () =>
    withPool({ memory: 48 }, async (pool) => {
      const message = await messageOf(pool.run(task(nested(12)), never));
      expect(message).to.match(
        /^adapting the configuration with caddyfile: it (needs more than 48 MiB of memory|takes more than 15 s)$/,
      );
      const controller = new AbortController();
      const left = pool.run(task(nested(13)), controller.signal);
      const next = pool.run(task(':80\nrespond hello\n'), never);
      setImmediate(() => controller.abort(new Error('the client has left')));
      expect(await messageOf(left)).to.equal('the client has left');
      expect(((await next) as AdaptedText).json).to.include('hello');
    }));

  it('refuses texts whose JSON is many times their size, and more texts than may wait', () =>
    withPool({ waiting: 2 }, async (pool) => {
      const list = `[${Array.from({ length: 900 }, () => '*a').join(',')}]`;
      const anchors = `a: &a "${'x'.repeat(100_000)}"\nb: ${list}\n`;
      const running = pool.run(task(anchors, 'yaml'), never);
      const waiting = [1, 2].map(() => pool.run(task(':80\n'), never));
      expect(await messageOf(pool.run(task(':80\n'), never))).to.include('wait to be adapted');
      expect(await messageOf(running)).to.include('it becomes more than 67108864 characters of JSON');
      await Promise.all(waiting);
    }));

  it('rejects what runs and what waits when the server stops', async () => {
    const results = await withPool({}, async (pool) => {
      const promises = [messageOf(pool.run(task(nested(13)), never)), messageOf(pool.run(task(':80\n'), never))];
      await pool.close();
      return Promise.all(promises);
    });
    expect(results).to.deep.equal(['the server is stopping', 'the server is stopping']);
  });
});
