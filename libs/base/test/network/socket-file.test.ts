import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SocketFile } from '@sluice/base';

describe('the file of a Unix socket', () => {
  let folder: string;
  const servers: Server[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 's-'));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  async function listen(path: string): Promise<Server> {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return server;
  }
  async function open(path: string, mode = 0o600): Promise<SocketFile> {
    const file = await SocketFile.claim(path);
    await listen(file.boundPath);
    file.publish(mode);
    return file;
  }
  const errorOf = (claim: Promise<unknown>): Promise<unknown> => claim.catch((error: unknown) => error);

  it('appears under its name with its permissions, and not before', async () => {
    const path = join(folder, 'a');
    const file = await SocketFile.claim(path);
    await listen(file.boundPath);
    expect([file.path, existsSync(path)]).to.deep.equal([path, false]);
    expect(file.boundPath).to.include(path);
    file.publish(0o620);
    expect(existsSync(file.boundPath)).to.equal(false);
    expect(statSync(path).mode & 0o777).to.equal(0o620);
    expect(statSync(path).isSocket()).to.equal(true);
  });

  it('is bound under its own name where the system takes no longer one', () => {
    const suffix = `~${process.pid}`;
    const longest = `/${'x'.repeat(107 - 1 - suffix.length)}`;
    expect(new SocketFile(longest).boundPath).to.equal(`${longest}${suffix}`);
    expect(new SocketFile(`${longest}x`).boundPath).to.equal(`${longest}x`);
    // Bytes count, not characters.
    const wide = `/${'é'.repeat(Math.floor((107 - 1 - suffix.length) / 2) + 1)}`;
    expect(new SocketFile(wide).boundPath).to.equal(wide);
  });

  it('stays bound under its own name when it is published', async () => {
    const path = join(folder, 'x'.repeat(107 - folder.length - 1));
    const file = await SocketFile.claim(path);
    expect(file.boundPath).to.equal(path);
    await listen(file.boundPath);
    file.publish(0o600);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('cannot be one that a process listens on, or a file of another kind', async () => {
    const path = join(folder, 'a');
    await open(path);
    expect(await errorOf(SocketFile.claim(path))).to.include({ code: 'EADDRINUSE' });
    expect(statSync(path).isSocket()).to.equal(true);
    const other = join(folder, 'b');
    writeFileSync(other, 'mine');
    const error = await errorOf(SocketFile.claim(other));
    expect(error).to.include({ code: 'EADDRINUSE', message: `listen EADDRINUSE: address already in use ${other}` });
    expect(readFileSync(other, 'utf8')).to.equal('mine');
  });

  it('takes the place of one that was left over', async () => {
    const path = join(folder, 'a');
    await open(path);
    // The name that it was bound under is gone, so that closing it leaves the file.
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(existsSync(path)).to.equal(true);
    const file = await SocketFile.claim(path);
    expect(existsSync(path)).to.equal(false);
    file.remove();
  });

  it('is removed once, and not where another has taken its place', async () => {
    const path = join(folder, 'a');
    const file = await open(path);
    file.remove();
    expect(existsSync(path)).to.equal(false);
    const next = await open(path);
    file.remove();
    expect(existsSync(path)).to.equal(true);
    // The process before has handed it over: it is known by the file that is there.
    const inherited = SocketFile.existing(path);
    rmSync(path);
    writeFileSync(path, 'mine');
    inherited.remove();
    next.remove();
    expect(existsSync(path)).to.equal(true);
    rmSync(path);
    next.remove();
  });

  it('is that of a process before, which is removed by the one that has taken it over', async () => {
    const path = join(folder, 'a');
    await open(path);
    SocketFile.existing(path).remove();
    expect(existsSync(path)).to.equal(false);
    SocketFile.existing(path).remove();
  });
});
