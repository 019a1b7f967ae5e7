/** Tests the `webdav` handler with several worker threads, and with WebDAV tools if they are installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { Sandbox, until } from '../support/sandbox.ts';
import { TestServer, type TestResponse } from '../support/server.ts';

const hasLitmus = spawnSync('litmus', ['--version']).error === undefined;
const hasRclone = spawnSync('rclone', ['version']).status === 0;

const lockInfo = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';

/** Runs a program. Returns its output and exit code. */
async function run(command: string, args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd, env: { ...process.env, HOME: cwd } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, output };
}

describe('webdav with several workers', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let root: string;
  before(async () => {
    sandbox = new Sandbox();
    root = sandbox.path('files');
    mkdirSync(root);
    await start();
  });
  afterEach(() => {
    for (const name of readdirSync(root)) rmSync(`${root}/${name}`, { recursive: true });
  });
  after(() => sandbox.remove());

  async function start(): Promise<void> {
    const route = { handle: [{ handler: 'webdav', root }] };
    server = await TestServer.run(sandbox, [route], ['--workers', '3']);
  }

  const put = (path: string, text: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
    server.http(path, { method: 'PUT', text, headers });

  /** Starts an upload of 1 MB. Resolves when half of the data is in the temporary file. */
  async function halfUpload(path: string): Promise<Socket> {
    const socket = connect(server.httpPort, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
    socket.write('n'.repeat(500_000));
    await until(() => readdirSync(root).some((name) => name.endsWith('.tmp')), 'a temporary file');
    return socket;
  }

  // For comparison, Caddy's plugin passes all 16 tests in the suite basic, all 13 in copymove, and all 4 in http. It passes 10 of 30 tests
  // in props, and 30 of 41 in locks.
  it('webdav passes all tests of the litmus test suite', async function () {
    if (!hasLitmus) return this.skip();
    const { code, output } = await run('litmus', ['-k', `http://127.0.0.1:${server.httpPort}/`], sandbox.folder);
    expect(output).to.not.match(/FAIL|WARNING|skipped/);
    const passed = [...output.matchAll(/summary for `(\w+)': of (\d+) tests run: \2 passed/g)];
    expect(passed.map(([, suite, count]) => `${suite} ${count}`)).to.deep.equal([
      'basic 16',
      'copymove 13',
      'props 30',
      'locks 41',
      'http 4',
    ]);
    expect(code).to.equal(0);
  });

  it('rclone can copy a directory to webdav and then finds no differences', async function () {
    if (!hasRclone) return this.skip();
    for (const name of ['a/one', 'a/b/two & <3>', 'a/ü #1.txt', 'empty'])
      await sandbox.write(`source/${name}`, name === 'empty' ? '' : name.repeat(9999));
    const remote = `:webdav,url="http://127.0.0.1:${server.httpPort}",vendor=other:copy`;
    const options = ['--config', sandbox.path('rclone.conf')];
    for (const command of [
      ['copy', sandbox.path('source'), remote],
      ['check', '--download', sandbox.path('source'), remote],
    ]) {
      const { code, output } = await run('rclone', [...command, ...options], sandbox.folder);
      expect(code, output).to.equal(0);
    }
    expect(readFileSync(`${root}/copy/a/one`, 'utf8')).to.equal('a/one'.repeat(9999));
  });

  it('webdav locks apply in all workers, and survive a configuration change', async () => {
    const locked = await server.http('/x', { method: 'LOCK', text: lockInfo, headers: { Timeout: 'Second-600' } });
    expect(locked.status).to.equal(201);
    const statuses = async (headers: Record<string, string> = {}): Promise<readonly number[]> => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => put('/x', 'new', headers)));
      return [...new Set(responses.map(({ status }) => status))];
    };
    expect(await statuses()).to.deep.equal([423]);
    const path = '/config/apps/http/servers/s/routes/0/handle/0/max_entries';
    expect((await server.admin(path, { method: 'PUT', body: 100 })).status).to.equal(200);
    expect(await statuses()).to.deep.equal([423]);
    const token = String(locked.headers['lock-token']);
    expect(await statuses({ If: `(${token})` })).to.deep.equal([204]);
    expect((await server.http('/x', { method: 'UNLOCK', headers: { 'Lock-Token': token } })).status).to.equal(204);
    expect(await statuses()).to.deep.equal([204]);
  });

  it('webdav accepts only one of many concurrent requests that create the same file with If-None-Match or obtain the same lock', async () => {
    for (let round = 0; round < 5; round++) {
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, i) => put(`/new${round}`, `${i}`, { 'If-None-Match': '*' })),
      );
      expect(created.filter(({ status }) => status === 201)).to.have.length(1);
      expect(created.filter(({ status }) => status === 412)).to.have.length(19);
      const locks = await Promise.all(
        Array.from({ length: 20 }, () => server.http(`/new${round}`, { method: 'LOCK', text: lockInfo })),
      );
      expect(locks.filter(({ status }) => status === 200)).to.have.length(1);
    }
  });

  // Attack in docs/security.md: The client disconnects, or the server is killed, during a PUT request.
  it('webdav keeps the content of a file if the client disconnects during PUT', async () => {
    await put('/x', 'old');
    const socket = await halfUpload('/x');
    socket.destroy();
    await until(() => readdirSync(root).length === 1, 'removal of the temporary file');
    expect(readFileSync(`${root}/x`, 'utf8')).to.equal('old');
  });

  // Attack in docs/security.md: The client disconnects, or the server is killed, during a PUT request.
  it('webdav keeps the content of a file if the server is killed during PUT', async () => {
    await put('/x', 'old');
    const socket = await halfUpload('/x');
    await server.stop('SIGKILL');
    socket.destroy();
    expect(readFileSync(`${root}/x`, 'utf8')).to.equal('old');
    await start();
  });

  it('webdav readers see either the old or the new content of a file while it is replaced', async () => {
    writeFileSync(`${root}/x`, 'a'.repeat(300_000));
    let isDone = false;
    const writes = (async () => {
      for (let i = 0; i < 30; i++) await put('/x', String.fromCharCode(97 + (i % 26)).repeat(300_000));
      isDone = true;
    })();
    while (!isDone) {
      const { status, text } = await server.http('/x');
      expect(status).to.equal(200);
      expect(text.length).to.equal(300_000);
      expect(text === text.charAt(0).repeat(300_000)).to.equal(true);
    }
    await writes;
  });
});
