import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SocketFile } from '@sluice/base';

describe('SocketFile', () => {
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

  it('SocketFile.publish creates the file with its permissions', async () => {
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

  it('SocketFile binds the final path directly if the temporary name would be too long', () => {
    const suffix = `~${process.pid}`;
    const longest = `/${'x'.repeat(107 - 1 - suffix.length)}`;
    expect(new SocketFile(longest).boundPath).to.equal(`${longest}${suffix}`);
    expect(new SocketFile(`${longest}x`).boundPath).to.equal(`${longest}x`);
    // The path length limit applies to bytes, not characters.
    const wide = `/${'é'.repeat(Math.floor((107 - 1 - suffix.length) / 2) + 1)}`;
    expect(new SocketFile(wide).boundPath).to.equal(wide);
  });

  it('SocketFile.publish keeps a socket that was bound directly', async () => {
    const path = join(folder, 'x'.repeat(107 - folder.length - 1));
    const file = await SocketFile.claim(path);
    expect(file.boundPath).to.equal(path);
    await listen(file.boundPath);
    file.publish(0o600);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('SocketFile.claim rejects paths of active sockets and other files', async () => {
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

  it('SocketFile.claim replaces a stale socket file', async () => {
    const path = join(folder, 'a');
    await open(path);
    // The temporary name no longer exists, so closing the server does not remove the socket file.
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(existsSync(path)).to.equal(true);
    const file = await SocketFile.claim(path);
    expect(existsSync(path)).to.equal(false);
    file.remove();
  });

  it('SocketFile.remove removes the file once, unless another socket has replaced the file', async () => {
    const path = join(folder, 'a');
    const file = await open(path);
    file.remove();
    expect(existsSync(path)).to.equal(false);
    const next = await open(path);
    file.remove();
    expect(existsSync(path)).to.equal(true);
    // Simulates a handover from another process, which left the socket file.
    const inherited = SocketFile.existing(path);
    rmSync(path);
    writeFileSync(path, 'mine');
    inherited.remove();
    next.remove();
    expect(existsSync(path)).to.equal(true);
    rmSync(path);
    next.remove();
  });

  it('SocketFile.existing removes the file of a previous process after a handover', async () => {
    const path = join(folder, 'a');
    await open(path);
    SocketFile.existing(path).remove();
    expect(existsSync(path)).to.equal(false);
    SocketFile.existing(path).remove();
  });
});
