import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import type { AdaptedText, AdaptingTask } from '@sluice/reconciler';
import { AdaptingPool } from '../../src/workers/adapting-pool.ts';

/** Returns Caddyfile snippets that each import the previous one twice, so that a few lines expand to many. */
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

describe('AdaptingPool', function () {
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

  it('AdaptingPool terminates the thread after a limit is exceeded or the client disconnects, and then adapts the next configuration @long', () =>
    withPool({ memory: 48 }, async (pool) => {
      const message = await messageOf(pool.run(task(nested(12)), never));
      expect(message).to.match(
        /^adapting the configuration with caddyfile: (exceeded the memory limit of 48 MiB|timed out after 15 s)$/,
      );
      const controller = new AbortController();
      const left = pool.run(task(nested(13)), controller.signal);
      const next = pool.run(task(':80\nrespond hello\n'), never);
      setImmediate(() => controller.abort(new Error('the client disconnected')));
      expect(await messageOf(left)).to.equal('the client disconnected');
      expect(((await next) as AdaptedText).json).to.include('hello');
    }));

  // Attack in docs/security.md: Input that expands exponentially: Caddyfile snippets (887 bytes that double in size 14 times), arguments,
  // and YAML anchors.
  it('AdaptingPool rejects configurations whose JSON is too large, and limits the queue', () =>
    withPool({ waiting: 2 }, async (pool) => {
      const list = `[${Array.from({ length: 900 }, () => '*a').join(',')}]`;
      const anchors = `a: &a "${'x'.repeat(100_000)}"\nb: ${list}\n`;
      const running = pool.run(task(anchors, 'yaml'), never);
      const waiting = [1, 2].map(() => pool.run(task(':80\n'), never));
      expect(await messageOf(pool.run(task(':80\n'), never))).to.include('are waiting to be adapted');
      expect(await messageOf(running)).to.include('the result exceeds 67108864 characters of JSON');
      await Promise.all(waiting);
    }));

  it('AdaptingPool.close rejects running and queued tasks', async () => {
    const results = await withPool({}, async (pool) => {
      const promises = [messageOf(pool.run(task(nested(13)), never)), messageOf(pool.run(task(':80\n'), never))];
      await pool.close();
      return Promise.all(promises);
    });
    expect(results).to.deep.equal(['the server is stopping', 'the server is stopping']);
  });
});
