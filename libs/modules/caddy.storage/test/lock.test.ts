import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { acquireLock, FileStorage } from '@sluice/caddy.storage';

const times = { heartbeat: 50, stale: 400, poll: 50 };

describe('caddy.storage.file_system locks', () => {
  let root: string;
  let storage: FileStorage;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sluice-lock-'));
    storage = new FileStorage(root, times);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  // Attack in docs/security.md: A full disk during autosave; two processes that share storage; an admin API on a Unix socket.
  it('a file lock has one owner at a time', async () => {
    let inside = 0;
    const visits = Array.from({ length: 8 }, async () => {
      const lock = await storage.lock('name');
      expect(++inside).to.equal(1);
      await sleep(5);
      inside--;
      await lock.release();
    });
    await Promise.all(visits);
    expect(await readdir(join(root, 'locks'))).to.deep.equal([]);
  });

  it('a file lock does not expire while its owner is alive', async () => {
    const lock = await storage.lock('name');
    const other = storage.lock('name', { signal: AbortSignal.timeout(times.stale * 2) }).then(
      () => 'taken',
      (error: unknown) => (error as Error).name,
    );
    expect(await other).to.be.oneOf(['TimeoutError', 'AbortError']);
    expect(lock.lost.aborted).to.equal(false);
    await lock.release();
    await lock.release();
  });

  // Attack in docs/security.md: The clock is set back after a lock holder crashed.
  it('a file lock expires even if its owner crashed before the clock was set back', async () => {
    const lock = await storage.lock('name');
    await lock.release();
    const path = join(root, 'locks', 'name.lock');
    await writeFile(path, '');
    const inAYear = new Date(Date.now() + 365 * 86_400_000);
    await utimes(path, inAYear, inAYear);
    const began = performance.now();
    const taken = await storage.lock('name', { signal: AbortSignal.timeout(times.stale * 5) });
    expect(performance.now() - began).to.be.greaterThan(times.stale);
    await taken.release();
  });

  // Attack in docs/security.md: The clock is set back while a lock holder is alive.
  it('a file lock does not expire when the clock is set back, if its owner is alive', async () => {
    const lock = await storage.lock('name');
    const path = join(root, 'locks', 'name.lock');
    const ahead = new Date(Date.now() + 86_400_000);
    await utimes(path, ahead, ahead);
    const outcome = await storage.lock('name', { signal: AbortSignal.timeout(times.stale * 2) }).then(
      () => 'taken',
      () => 'waited',
    );
    expect([outcome, lock.lost.aborted]).to.deep.equal(['waited', false]);
    await lock.release();
  });

  it('a file lock expires when its owner is killed', async () => {
    const holder = spawn(
      process.execPath,
      [...process.execArgv, '--conditions=@sluice/source', join(import.meta.dirname, 'hold-lock.mjs'), root],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(holder.stdout, 'data');
    const pending = storage.lock('name');
    expect(await Promise.race([pending, sleep(times.stale * 1.5, 'waiting')])).to.equal('waiting');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const lock = await pending;
    await lock.release();
    expect(await readdir(join(root, 'locks'))).to.deep.equal([]);
  }).timeout(10_000);

  it('a stale file lock is acquired by exactly one of many processes, even if a process crashed while breaking the lock', async () => {
    const path = join(root, 'dead.lock');
    await writeFile(path, '');
    await writeFile(`${path}.break`, '');
    await sleep(times.stale + 100);
    let inside = 0;
    const visits = Array.from({ length: 6 }, async () => {
      const lock = await acquireLock(path, {}, times);
      expect(++inside).to.equal(1);
      await sleep(10);
      inside--;
      await lock.release();
    });
    await Promise.all(visits);
    expect(await readdir(root)).to.deep.equal([]);
  });

  it('a file lock that is taken over notifies its previous owner, which does not release the new lock', async () => {
    const path = join(root, 'mine.lock');
    const lost = await acquireLock(path, {}, times);
    await rm(path);
    const next = await acquireLock(path, {}, times);
    if (!lost.lost.aborted) await once(lost.lost, 'abort');
    await lost.release();
    expect(await readdir(root)).to.include('mine.lock');
    await next.release();
    expect(await readdir(root)).to.deep.equal([]);
  });

  it('after another process has taken over a file lock, writes of the previous owner fail, even if it has not noticed the takeover', async () => {
    // Simulates a suspended process, which neither updates nor checks its lock file.
    const stopped = new FileStorage(root, { ...times, heartbeat: 60_000 });
    const lock = await stopped.lock('name');
    await lock.writeOne?.('a/one', 'first');
    await lock.writeOne?.('a/two', 'first');
    const next = await storage.lock('name');
    await next.writeOne?.('a/one', 'second');
    expect(lock.lost.aborted).to.equal(false);
    for (const write of [() => lock.writeOne?.('a/one', 'late'), () => lock.writeOne?.('a/two', null)])
      expect(await write()?.catch((error: unknown) => error)).to.include({ code: 'ERR_STORAGE_LOCK' });
    expect([String(await storage.load('a/one')), String(await storage.load('a/two'))]).to.deep.equal([
      'second',
      'first',
    ]);
    await lock.release();
    await next.writeOne?.('a/two', null);
    await next.writeOne?.('a/none', null);
    await next.release();
    expect(await storage.list('', true)).to.deep.equal(['a/one']);
    expect(await readdir(join(root, 'locks'))).to.deep.equal([]);
  });

  it('a file lock can be broken if another program created it without a fencing token', async () => {
    const path = join(root, 'locks', 'name.lock');
    await (await storage.lock('name')).release();
    await writeFile(path, '{"created":"2026-01-01T00:00:00Z","fence":"../../elsewhere"}');
    await sleep(times.stale + 100);
    const lock = await storage.lock('name');
    await lock.writeOne?.('a', 'x');
    await lock.release();
    expect(String(await storage.load('a'))).to.equal('x');
  });
});
