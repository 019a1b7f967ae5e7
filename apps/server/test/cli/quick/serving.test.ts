import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox, until, type RunSettings, type Started } from '../../support/sandbox.ts';
import { config, says, send, TestServer } from '../../support/server.ts';

describe('quick commands', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  /** Starts a command. Resolves when the server is ready and has printed its addresses. */
  async function serving(
    args: readonly string[],
    settings: RunSettings = {},
    printed = args[0] === 'respond' ? 1 : 0,
  ): Promise<Started> {
    const started = sandbox.start(args, settings);
    let ended = false;
    void started.ended.then(() => (ended = true));
    await until(() => ended || started.stderr().includes('"serving"'), `sluice ${args.join(' ')} to serve`, 60_000);
    expect(ended, started.stderr()).to.equal(false);
    // Waits for the output, because the log and the printed text use different pipes.
    await until(() => started.stdout().split('\n').length > printed, `${printed} addresses to be printed`);
    return started;
  }

  /** Returns the addresses in the server's startup message. */
  function addressesOf(started: Started): string[] {
    const line =
      started
        .stderr()
        .split('\n')
        .find((text) => text.includes('"serving"')) ?? '{}';
    return (JSON.parse(line) as { addresses: string[] }).addresses;
  }

  describe('sluice file-server', () => {
    it('sluice file-server serves compressed files with several workers, and does not write to the configuration directory', async () => {
      await sandbox.write('site/index.html', 'text '.repeat(400));
      const port = await freePort();
      const server = await serving([
        'file-server',
        '--root',
        'site',
        '--listen',
        `127.0.0.1:${port}`,
        '--workers',
        '2',
      ]);
      const plain = await send(port, '/');
      expect(plain.text).to.equal('text '.repeat(400));
      const packed = await send(port, '/', { headers: { 'Accept-Encoding': 'gzip' } });
      expect(packed.headers['content-encoding']).to.equal('gzip');
      server.child.kill('SIGTERM');
      expect(await server.ended).to.include({ code: 0, stdout: '' });
      expect(existsSync(sandbox.configuration)).to.equal(false);
    });

    it('sluice file-server supports listings, links, templates, access logs, and disabled compression', async () => {
      await sandbox.write('site/pages/page.html', '{{upper "made"}}');
      await symlink('page.html', sandbox.path('site/pages/link.html'));
      const port = await freePort();
      const options = ['--browse', '--reveal-symlinks', '--templates', '--access-log', '--no-compress'];
      const server = await serving([
        'file-server',
        '-r',
        'site',
        '-l',
        `127.0.0.1:${port}`,
        '--workers',
        '0',
        ...options,
      ]);
      const list = await send(port, '/pages/', { headers: { Accept: 'application/json' } });
      const [link] = JSON.parse(list.text) as { name: string; symlink_path?: string }[];
      expect(link).to.include({ name: 'link.html', is_symlink: true });
      expect((await send(port, '/pages/')).text).to.include('→');
      const page = await send(port, '/pages/page.html', { headers: { 'Accept-Encoding': 'gzip' } });
      expect(page.text).to.equal('MADE');
      await until(() => server.stderr().includes('"handled request"'), 'a line of the access log');
    });

    it('sluice file-server sends precompressed files', async () => {
      await sandbox.write('data.txt', 'plain');
      await writeFile(sandbox.path('data.txt.gz'), gzipSync('packed'));
      const port = await freePort();
      await serving(['file-server', '-l', `127.0.0.1:${port}`, '-p', 'br,gzip', '--workers', '0']);
      const body = await fetchBytes(port, '/data.txt');
      expect(gunzipSync(body).toString()).to.equal('packed');
    });

    it('sluice file-server reports the port that the system assigned', async () => {
      await sandbox.write('a.txt', 'a');
      const server = await serving(['file-server', '--listen', '127.0.0.1:0']);
      const [address = ''] = addressesOf(server);
      expect(address).to.match(/^127\.0\.0\.1:[1-9]\d*$/);
      expect((await send(Number(address.slice(10)), '/a.txt')).text).to.equal('a');
    });

    it('sluice file-server exits with 1 for an unknown kind of precompressed files', async () => {
      const ended = await sandbox.run(['file-server', '-l', '127.0.0.1:0', '-p', 'nope']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include('http.precompressed.nope');
    });
  });

  describe('sluice reverse-proxy', () => {
    it('sluice reverse-proxy forwards requests with changed headers and host', async () => {
      const [port, admin, one] = [await freePort(), await freePort(), await freePort()];
      const seen = handlers('{http.request.hostport}|{http.request.header.X-Up}');
      const upstreams = config(admin, one, [
        { handle: [{ handler: 'headers', response: { set: { 'X-Gone': ['here'] } } }, ...seen] },
      ]);
      await TestServer.start(sandbox, ['--config', await sandbox.write('up.json', upstreams)], admin, one);
      const up = ['--to', `127.0.0.1:${one}`, '--header-up', 'X-Up: yes', '--header-down', 'X-Gone: there'];
      await serving(['reverse-proxy', '--from', `:${port}`, ...up, '--change-host-header', '--workers', '1']);
      const response = await send(port, '/');
      expect(response.text).to.equal(`127.0.0.1:${one}|yes`);
      expect(response.headers['x-gone']).to.equal('there');
    });

    it('sluice reverse-proxy serves a name over HTTPS with an internal certificate', async () => {
      const [port, upstream] = [await freePort(), await freePort()];
      await serving(['respond', '--listen', `127.0.0.1:${upstream}`, 'from the upstream']);
      const from = ['--from', `https://site.localhost:${port}`, '--internal-certs', '--disable-redirects'];
      await serving(['reverse-proxy', ...from, '--to', `127.0.0.1:${upstream}`, '--workers', '0']);
      const { text, issuer } = await fetchSecurely(port, 'site.localhost');
      expect(text).to.equal('from the upstream');
      expect(issuer).to.match(/Intermediate/);
    });

    it('sluice reverse-proxy requires an upstream', async () => {
      const ended = await sandbox.run(['reverse-proxy', '--from', ':0']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include('reverse-proxy requires an upstream: --to ADDRESS');
    });
  });

  describe('sluice respond', () => {
    it('sluice respond prints its addresses, and sends the requested response', async () => {
      const server = await serving([
        'respond',
        '-l',
        '127.0.0.1:0',
        '-s',
        '418',
        '-H',
        'X-Kind: tea',
        'short and {{.Address}}',
      ]);
      const [, port] = /^Server address: 127\.0\.0\.1:(\d+)\n$/.exec(server.stdout()) ?? [];
      const response = await send(Number(port), '/any/path');
      expect(response).to.include({ status: 418, text: 'short and 127.0.0.1:0' });
      expect(response.headers['x-kind']).to.equal('tea');
    });

    it('sluice respond runs one server for each port in a range, and expands the port in the body', async () => {
      const first = await rangeOfPorts();
      const range = `127.0.0.1:${first}-${first + 2}`;
      const server = await serving(['respond', '--listen', range, '--body', '{{.N}}/{{.Port}}'], {}, 3);
      expect(server.stdout().split('\n')).to.have.length(4);
      for (const n of [0, 1, 2]) expect((await send(first + n, '/')).text).to.equal(`${n}/${first + n}`);
    });

    it('sluice respond reads the response body from standard input', async () => {
      const server = await serving(['respond', '-l', '127.0.0.1:0'], { stdin: 'piped {{.N}}\n' });
      const [, port] = /:(\d+)\n$/.exec(server.stdout()) ?? [];
      expect((await send(Number(port), '/')).text).to.equal('piped 0\n');
    });

    it('sluice respond reports the position of a template error', async () => {
      const ended = await sandbox.run(['respond', '{{.Nope}}']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.match(/template: body:1:\d+: .*Nope/);
    });

    it('sluice respond accepts a single positional argument', async () => {
      const ended = await sandbox.run(['respond', 'a', 'b']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include('single argument');
    });
  });
});

function handlers(body: string): unknown[] {
  return (says(body) as { handle: unknown[] }).handle;
}

/** Returns the first of three consecutive free ports. */
async function rangeOfPorts(): Promise<number> {
  for (;;) {
    const first = await freePort();
    if (first < 65_000 && !(await isTaken(first + 1)) && !(await isTaken(first + 2))) return first;
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}

function fetchBytes(port: number, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Encoding': 'gzip' };
    plainRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });
}

function fetchSecurely(port: number, servername: string): Promise<{ text: string; issuer: string }> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, servername, headers: { Host: servername }, agent: false };
    // Certificate verification is disabled because the test created the CA.
    request({ ...target, rejectUnauthorized: false }, (response) => {
      const { issuer } = (response.socket as TLSSocket).getPeerCertificate();
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ text, issuer: String(issuer.CN) }));
    })
      .on('error', reject)
      .end();
  });
}
