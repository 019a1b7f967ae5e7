import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { config, says, send, TestServer } from '../support/server.ts';
import { freePort } from '@sluice/testing';
import { Sandbox, until } from '../support/sandbox.ts';

describe('sluice run', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  /** Changes the response body of the server. */
  const say = (server: TestServer, body: string) =>
    server.admin('/config/apps/http/servers/s/routes/0/handle/0/body', { method: 'PATCH', body });

  for (const workers of ['0', '1', '2']) {
    it(`sluice run serves, accepts changes, and exits, with --workers ${workers}`, async () => {
      const server = await TestServer.run(sandbox, [says('one')], ['--workers', workers]);
      expect((await server.http()).text).to.equal('one');
      expect((await say(server, 'two')).status).to.equal(200);
      for (let i = 0; i < 8; i++) expect((await server.http()).text).to.equal('two');
      expect((await say(server, 'three')).status).to.equal(200);
      expect((await server.http()).text).to.equal('three');
      expect((await server.admin('/config/apps/http/servers/s/routes/0/handle/0/body')).text).to.equal('"three"\n');
      expect(await server.stop()).to.include({ code: 0, stdout: '' });
    });
  }

  it('sluice run rejects an invalid change in every thread, and continues', async () => {
    const server = await TestServer.run(sandbox, [says('one')], ['--workers', '2']);
    const taken = createServer();
    const port = await listen(taken);
    const refused = await server.admin('/config/apps/http/servers/t', {
      method: 'PUT',
      body: { listen: [`127.0.0.1:${port}`] },
    });
    expect(refused.status).to.be.oneOf([400, 500]);
    expect(JSON.parse(refused.text)).to.have.property('error').that.includes(`cannot listen on 127.0.0.1:${port}`);
    expect((await server.admin('/config/apps/http/servers/t')).text).to.equal('null\n');
    expect((await server.http()).text).to.equal('one');
    await new Promise((resolve) => taken.close(resolve));
  });

  it('sluice run starts without a configuration', async () => {
    const port = await freePort();
    const server = await TestServer.start(sandbox.with({ env: { SERVER_ADMIN: `127.0.0.1:${port}` } }), [], port, 0);
    expect(await server.admin('/config/')).to.include({ status: 200, text: 'null\n' });
    expect(await server.stop()).to.include({ code: 0 });
  });

  it('sluice run keeps running without an admin endpoint or listeners', async () => {
    const file = await sandbox.write('nothing.json', { admin: { disabled: true } });
    const server = await TestServer.start(sandbox, ['--config', file], 0, 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.started.child.exitCode).to.equal(null);
    expect(await server.stop()).to.include({ code: 0 });
  });

  it('sluice run reads its configuration from standard input', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const server = await TestServer.start(
      sandbox.with({
        stdin: JSON.stringify(config(admin, http, [says('in')])),
      }),
      ['--config', '-'],
      admin,
      http,
    );
    expect((await server.http()).text).to.equal('in');
  });

  it('sluice run selects the adapter by file extension', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write(
      'config.json5',
      `// JSON 5\n${JSON.stringify(config(admin, http, [says('five')]))}`,
    );
    const server = await TestServer.start(sandbox, ['--config', file], admin, http);
    expect((await server.http()).text).to.equal('five');
  });

  it('sluice run replaces placeholders with values from the environment file', async () => {
    const file = await sandbox.write('.env', 'GREETING="from the file"\nHOME=/nowhere\n');
    const server = await TestServer.run(sandbox, [says('{env.GREETING} {env.HOME}')], ['--envfile', file]);
    expect((await server.http()).text).to.equal(`from the file ${sandbox.folder}`);
  });

  it('sluice run exits with 1 if a port is in use, with and without workers', async () => {
    const taken = createServer();
    const port = await listen(taken);
    const file = await sandbox.write('taken.json', config(await freePort(), port, [says('x')]));
    for (const workers of ['0', '2']) {
      const ended = await sandbox.run(['run', '--config', file, '--workers', workers]);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include(`cannot listen on 127.0.0.1:${port}`);
    }
    await new Promise((resolve) => taken.close(resolve));
  });

  it('sluice run writes its process ID to a file while running', async () => {
    const pidFile = sandbox.path('sluice.pid');
    const server = await TestServer.run(sandbox, [says('x')], ['--pidfile', pidFile]);
    expect(await readFile(pidFile, 'utf8')).to.equal(`${server.started.child.pid}\n`);
    expect((await stat(pidFile)).mode & 0o777).to.equal(0o600);
    await server.stop();
    expect(await stat(pidFile).catch(() => null)).to.equal(null);
  });

  it('sluice run serves even if the PID file is not writable', async () => {
    const server = await TestServer.run(sandbox, [says('x')], ['--pidfile', sandbox.path('no/such/folder/pid')]);
    expect(server.log.some(({ level, msg }) => level === 'error' && msg.includes('PID file'))).to.equal(true);
    expect((await server.http()).text).to.equal('x');
  });

  describe('sluice run and signals', () => {
    /** Sends a request whose response is delayed until the request body is complete. */
    function upload(port: number): { done: Promise<number>; finish: () => void } {
      const outgoing = request({
        host: '127.0.0.1',
        port,
        method: 'POST',
        headers: { 'Content-Length': '2' },
        agent: false,
      });
      outgoing.write('x');
      const done = new Promise<number>((resolve) => {
        outgoing.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
        outgoing.on('error', () => resolve(0));
      });
      return { done, finish: () => outgoing.end('y') };
    }

    /** A handler that reads the whole request body before it responds. It allows a test to keep a request in flight. */
    const slow = { handle: [{ handler: 'static_response', body: '{http.request.body}' }] };

    for (const [signal, code] of [
      ['SIGTERM', 0],
      ['SIGINT', 0],
      ['SIGQUIT', 2],
    ] as const) {
      it(`the signal ${signal} makes the server exit with ${code}`, async () => {
        const server = await TestServer.run(sandbox, [says('x')], ['--workers', '1']);
        expect(await server.stop(signal)).to.include({ code });
      });
    }

    it('the server ignores SIGHUP', async () => {
      const server = await TestServer.run(sandbox, [says('x')]);
      server.signal('SIGHUP');
      await server.logged('ignoring signal');
      expect((await server.http()).text).to.equal('x');
    });

    it('SIGUSR1 reloads the configuration file', async () => {
      const server = await TestServer.run(sandbox, [says('one')]);
      await sandbox.write('config.json', config(server.adminPort, server.httpPort, [says('two')]));
      server.signal('SIGUSR1');
      await server.logged('reloaded configuration file');
      expect((await server.http()).text).to.equal('two');
      await sandbox.write('config.json', '{');
      server.signal('SIGUSR1');
      await server.logged('failed to load the configuration file');
      expect((await server.http()).text).to.equal('two');
    });

    it('SIGUSR1 reloads the configuration file if the last `sluice reload` used the same file', async () => {
      const server = await TestServer.run(sandbox, [says('first')]);
      const file = sandbox.path('config.json');
      const reload = async (path: string): Promise<void> =>
        void expect((await sandbox.run(['reload', '--config', path])).code).to.equal(0);
      const content = config(server.adminPort, server.httpPort, [says('second')]);
      await sandbox.write('config.json', content);
      await reload(file);
      expect((await server.http()).text).to.equal('second');
      await sandbox.write('config.json', config(server.adminPort, server.httpPort, [says('third')]));
      server.signal('SIGUSR1');
      await until(async () => (await server.http()).text === 'third', 'the file is loaded again');
      await reload(await sandbox.write('other.json', content));
      server.signal('SIGUSR1');
      await server.logged('was not loaded from a file');
      expect((await server.http()).text).to.equal('second');
    });

    it('SIGUSR1 is ignored after an API client has changed the configuration', async () => {
      const server = await TestServer.run(sandbox, [says('one')]);
      await say(server, 'two');
      server.signal('SIGUSR1');
      await server.logged('was not loaded from a file');
      expect((await server.http()).text).to.equal('two');
    });

    for (const workers of ['0', '2']) {
      it(`the server completes a request in flight after SIGTERM, with --workers ${workers}`, async () => {
        const server = await TestServer.run(sandbox, [slow], ['--workers', workers]);
        const held = upload(server.httpPort);
        await new Promise((resolve) => setTimeout(resolve, 100));
        server.signal('SIGTERM');
        await server.logged('shutting down');
        await until(async () => (await send(server.httpPort, '/').catch(() => null)) === null, 'no new connections');
        expect(server.started.child.exitCode).to.equal(null);
        held.finish();
        expect(await held.done).to.equal(200);
        expect(await server.started.ended).to.include({ code: 0 });
      });
    }

    it('a second SIGINT exits immediately with 2, even with a request in flight', async () => {
      const server = await TestServer.run(sandbox, [slow], ['--workers', '1']);
      const held = upload(server.httpPort);
      await new Promise((resolve) => setTimeout(resolve, 100));
      server.signal('SIGINT');
      await server.logged('shutting down');
      server.signal('SIGINT');
      expect(await server.started.ended).to.include({ code: 2 });
      expect(await held.done).to.equal(0);
    });

    it('the server closes idle connections on shutdown', async () => {
      const server = await TestServer.run(sandbox, [says('x')], ['--workers', '1']);
      const idle = connect(server.httpPort, '127.0.0.1');
      idle.on('error', () => {});
      idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise((resolve) => idle.once('data', resolve));
      expect(await server.stop()).to.include({ code: 0 });
      idle.destroy();
    });
  });

  describe('sluice run --watch', () => {
    it('--watch reloads changed files, and keeps the previous configuration if a file is invalid', async () => {
      const server = await TestServer.run(sandbox, [says('one')], ['--watch']);
      const change = (text: string) => writeFile(sandbox.path('config.json'), text);
      await change('{');
      await server.logged('failed to load the configuration file');
      expect((await server.http()).text).to.equal('one');
      await change(JSON.stringify(config(server.adminPort, server.httpPort, [says('two')])));
      await server.logged('reloaded configuration file');
      expect((await server.http()).text).to.equal('two');
      await rm(sandbox.path('config.json'));
      await server.logged('failed to watch');
      expect((await server.http()).text).to.equal('two');
    });

    it('--watch follows the imports of a Caddyfile, including new files @long', async () => {
      const [admin, http] = [await freePort(), await freePort()];
      const file = await sandbox.write(
        'Caddyfile',
        `{\n\tadmin 127.0.0.1:${admin}\n}\nhttp://127.0.0.1:${http} {\n\timport site.conf\n\timport more/*.conf\n}\n`,
      );
      const write = (name: string, text: string) => sandbox.write(name, text);
      await write('site.conf', 'respond / one\n');
      await write('more/a.conf', 'respond /a a\n');
      const server = await TestServer.start(sandbox, ['--config', file, '--watch'], admin, http);
      expect((await server.http()).text).to.equal('one');
      await write('site.conf', 'respond / {\n');
      await server.logged('failed to load the configuration file');
      await write('site.conf', 'respond / two\nimport extra.conf\n');
      await server.logged('failed to load the configuration file', 2);
      expect((await server.http()).text).to.equal('one');
      await write('extra.conf', 'respond /extra found\n');
      await server.logged('reloaded configuration file');
      expect((await server.http()).text).to.equal('two');
      expect((await server.http('/extra')).text).to.equal('found');
      await write('more/b.conf', 'respond /b b\n');
      await server.logged('reloaded configuration file', 2);
      expect((await server.http('/b')).text).to.equal('b');
      await rm(sandbox.path('more/a.conf'));
      await server.logged('reloaded configuration file', 3);
      expect((await server.http('/a')).text).to.equal('');
    });
  });

  describe('sluice with truncated files', () => {
    const truncated: readonly (readonly [name: string, text: string])[] = [
      ['config.json', ''],
      ['config.json', ' \n'],
      ['config.yaml', ''],
      ['config.yaml', '# written by a tool\n'],
      ['config.yaml', 'apps:\n'],
      ['config.toml', '# written by a tool\n'],
      ['config.json5', '/* nothing */'],
    ];

    it('sluice reload of a truncated file never unloads the configuration @long', async () => {
      const env = { SERVER_ADMIN: `127.0.0.1:${await freePort()}` };
      const server = await TestServer.run(sandbox, [says('one')], [], { env });
      const address = `http://127.0.0.1:${server.adminPort}/`;
      for (const [name, text] of truncated) {
        const file = await sandbox.write(`lost/${name}`, text);
        const { code, stderr } = await sandbox.run(['reload', '--config', file, '--address', address]);
        expect([code, stderr], `${name} ${JSON.stringify(text)}`).to.satisfy(
          ([status, said]: [number, string]) => status === 1 && (/possibly truncated/.test(said) || /json5/.test(said)),
        );
        const type = { 'Content-Type': `text/${name.split('.')[1]}` };
        const loaded = await server.admin('/load', { method: 'POST', headers: type, text });
        expect(loaded.status, `${name} ${JSON.stringify(text)}`).to.equal(400);
        expect((await server.http()).text).to.equal('one');
      }
      const empty = await sandbox.write('lost/meant.json', '{}\n');
      const ended = await sandbox.run(['reload', '--config', empty, '--address', address]);
      expect(ended.code, ended.stderr).to.equal(0);
    });

    // Attack in docs/security.md: Empty or truncated files with `reload`, `--watch` and `/load`; error responses without a body.
    it('--watch never unloads the configuration when the file is truncated', async () => {
      const server = await TestServer.run(sandbox, [says('one')], ['--watch']);
      await writeFile(sandbox.path('config.json'), '');
      await server.logged('failed to load the configuration file');
      expect((await server.http()).text).to.equal('one');
      expect(server.log.some(({ error }) => String(error).includes('possibly because it was truncated'))).to.equal(
        true,
      );
      server.signal('SIGUSR1');
      await server.logged('failed to load the configuration file', 2);
      expect((await server.http()).text).to.equal('one');
    });

    it('the server logs that an empty file contains no configuration', async () => {
      const admin = await freePort();
      const file = await sandbox.write('nothing.json', '');
      const server = await TestServer.start(
        sandbox.with({
          env: { SERVER_ADMIN: `127.0.0.1:${admin}` },
        }),
        ['--config', file],
        admin,
        0,
      );
      expect((await server.admin('/config/')).text).to.equal('null\n');
      expect(server.log.some(({ level, msg }) => level === 'warn' && msg.includes('file is empty'))).to.equal(true);
    });
  });

  it('the server ignores the $schema key', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', {
      $schema: './schema.json',
      ...config(admin, http, [says('one')]),
    });
    const server = await TestServer.start(sandbox, ['--config', file], admin, http);
    expect((await server.http()).text).to.equal('one');
    expect(await sandbox.run(['validate', '--config', file])).to.include({ code: 0, stderr: '' });
  });

  it('the server reports that a change could not be saved, and saves the next change once saving works again', async function () {
    const room = sandbox.path('config');
    await mkdir(room);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', room]).status !== 0) this.skip();
    try {
      const server = await TestServer.run(sandbox, [says('one')]);
      const large = 'x'.repeat(100_000);
      const path = '/config/apps/http/servers/s/routes/0/handle/0/body';
      const full = await server.admin(path, { method: 'PATCH', body: large });
      expect([full.status, JSON.parse(full.text)]).to.have.nested.property('[1].saved', false);
      expect((await server.http()).text).to.equal(large);
      const file = await sandbox.write('large.json', config(server.adminPort, server.httpPort, [says(`${large}y`)]));
      const reloaded = await sandbox.run(['reload', '--config', file]);
      expect([reloaded.code, reloaded.stderr]).to.satisfy(
        ([code, said]: [number, string]) => code === 0 && /^warning: .*could not be saved.*ENOSPC/.test(said),
      );
      expect(await server.admin(path, { method: 'PATCH', body: 'small' })).to.include({ status: 200, text: '' });
      await server.stop();
      const saved = await readFile(`${sandbox.configuration}/autosave.json`, 'utf8');
      expect(JSON.parse(saved)).to.have.nested.property('apps.http.servers.s.routes[0].handle[0].body', 'small');
    } finally {
      spawnSync('umount', ['-l', room]);
    }
  });

  describe('sluice run --resume', () => {
    it('--resume uses the saved configuration instead of the file', async () => {
      const first = await TestServer.run(sandbox, [says('file')]);
      await say(first, 'changed');
      await first.stop();
      const second = await TestServer.start(
        sandbox,
        ['--resume', '--config', sandbox.path('config.json')],
        first.adminPort,
        first.httpPort,
      );
      expect((await second.http()).text).to.equal('changed');
      expect(second.log.some(({ level, msg }) => level === 'warn' && msg.includes('instead of the file'))).to.equal(
        true,
      );
    });

    it('--resume uses the file if nothing was saved', async () => {
      const server = await TestServer.run(sandbox, [says('file')], ['--resume']);
      expect((await server.http()).text).to.equal('file');
    });

    it('--resume exits with 1 and suggests a fix if the saved configuration is damaged and there is no fallback', async () => {
      await sandbox.write('config/sluice/autosave.json', '{"apps":');
      const ended = await sandbox.run(['run', '--resume', '--workers', '0']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr)
        .to.include('autosave.json: the saved configuration is not JSON')
        .and.to.include('restore or remove the file, or start with --config');
    });

    // Attack in docs/security.md: A corrupted file with the saved configuration.
    it('--resume uses the file if the saved configuration is damaged, and moves the damaged configuration aside', async () => {
      await sandbox.write('config/sluice/autosave.json', '{"apps":');
      const server = await TestServer.run(sandbox, [says('file')], ['--resume']);
      expect((await server.http()).text).to.equal('file');
      expect(
        server.log.some(({ level, msg }) => level === 'error' && msg.includes('starting with the configuration file')),
      ).to.equal(true);
      const kept = (await readdir(sandbox.configuration)).filter((name) => name.startsWith('autosave.json.damaged-'));
      expect(kept).to.have.length(1);
      expect(await readFile(`${sandbox.configuration}/${kept[0] ?? ''}`, 'utf8')).to.equal('{"apps":');
    });

    it('--resume uses the last document in the history if the saved configuration is damaged', async () => {
      const first = await TestServer.run(sandbox, [says('file')]);
      await say(first, 'changed');
      await first.stop();
      await sandbox.write('config/sluice/autosave.json', '{"apps":');
      const second = await TestServer.start(
        sandbox,
        ['--resume', '--config', sandbox.path('config.json')],
        first.adminPort,
        first.httpPort,
      );
      expect((await second.http()).text).to.equal('changed');
      expect(
        second.log.some(({ level, msg }) => level === 'error' && msg.includes('last configuration in the history')),
      ).to.equal(true);
    });

    it('sluice run keeps the saved configuration when the active configuration is unloaded', async () => {
      const server = await TestServer.run(sandbox, [says('file')], [], {
        env: { SERVER_ADMIN: `127.0.0.1:${await freePort()}` },
      });
      await server.admin('/config/', { method: 'DELETE' });
      await server.stop();
      expect(JSON.parse(await readFile(`${sandbox.configuration}/autosave.json`, 'utf8'))).to.have.nested.property(
        'apps.http',
      );
    });

    it('sluice run saves nothing while admin.config.persist is false', async () => {
      const [admin, http] = [await freePort(), await freePort()];
      const content = config(admin, http, [says('x')]);
      const file = await sandbox.write('config.json', {
        ...content,
        admin: { ...(content.admin as object), config: { persist: false } },
      });
      const server = await TestServer.start(sandbox, ['--config', file], admin, http);
      await say(server, 'y');
      await server.stop();
      expect(await stat(sandbox.configuration).catch(() => null)).to.equal(null);
    });
  });
});

describe('sluice start, reload and stop', function () {
  this.timeout(30_000);
  it('sluice start, reload and stop control a background server', async () => {
    const sandbox = new Sandbox();
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', config(admin, http, [says('one')]));
    const log = sandbox.path('pid');
    const started = await sandbox.run(['start', '--config', file, '--workers', '1', '--pidfile', log], {
      background: true,
    });
    expect(started.code).to.equal(0);
    const pid = Number(/\(pid=(\d+)\)/.exec(started.stdout)?.[1]);
    expect(await readFile(log, 'utf8')).to.equal(`${pid}\n`);
    expect((await send(http, '/')).text).to.equal('one');
    await sandbox.write('config.json', config(admin, http, [says('two')]));
    expect(await sandbox.run(['reload', '--config', file])).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect((await send(http, '/')).text).to.equal('two');
    await sandbox.write('bad.json', config(admin, http, [{ handle: [{ handler: 'nope' }] }]));
    const refused = await sandbox.run(['reload', '--config', 'bad.json']);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('responded with 400').and.include('http.handlers.nope');
    expect(await sandbox.run(['stop', '--config', file])).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    await until(() => !isAlive(pid), 'the end of the process');
    await sandbox.remove();
  });
});

describe('sluice and admin endpoints on other sockets', function () {
  this.timeout(30_000);
  for (const [name, listen, address] of [
    [
      'a unix socket',
      (folder: string) => `unix/${folder}/admin.sock|0600`,
      (folder: string) => `unix/${folder}/admin.sock`,
    ],
    [
      'IPv6',
      (_: string, port: number) => `[0:0:0:0:0:0:0:1]:${port}`,
      (_: string, port: number) => `http://[::1]:${port}`,
    ],
  ] as const) {
    it(`sluice commands can connect to the admin endpoint: ${name}`, async () => {
      const sandbox = new Sandbox();
      const port = await freePort();
      const admin = { listen: listen(sandbox.folder, port) };
      const file = await sandbox.write('config.json', { admin, apps: {} });
      const server = await TestServer.start(sandbox, ['--config', file], port, port);
      const to = ['--address', address(sandbox.folder, port)];
      const other = await sandbox.write('other.json', { admin, apps: { http: {} } });
      expect(await sandbox.run(['reload', '--config', other, ...to])).to.deep.equal({
        code: 0,
        stdout: '',
        stderr: '',
      });
      expect(await sandbox.run(['stop', ...to])).to.deep.equal({ code: 0, stdout: '', stderr: '' });
      expect(await server.started.ended).to.include({ code: 0 });
      await sandbox.remove();
    });
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}
