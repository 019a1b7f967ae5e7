import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

/** Routes that load but cannot work, with the expected warnings. */
const routes = [
  { handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: 'http://127.0.0.1:1' }] }] },
  { handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: 'localhost' }] }] },
  { handle: [{ handler: 'reverse_proxy' }] },
  { handle: [{ handler: 'invoke', name: 'nope' }] },
  { handle: [{ handler: 'static_response', status_code: 'teapot', body: '{http.request.hots}' }] },
  { handle: [{ handler: 'file_server', root: '/nowhere/at/all' }] },
];
const expected = [
  ['routes[0].handle[0].upstreams[0].dial', 'proxy-dial-address'],
  ['routes[1].handle[0].upstreams[0].dial', 'proxy-dial-address'],
  ['routes[2].handle[0].upstreams', 'proxy-without-upstreams'],
  ['routes[3].handle[0].name', 'unknown-named-route'],
  ['routes[4].handle[0].status_code', 'status-code'],
  ['routes[4].handle[0].body', 'unknown-placeholder'],
  ['routes[5].handle[0].root', 'missing-root'],
  ...[1, 2, 3, 4, 5].map((index) => [`routes[${index}]`, 'route-after-end'] as const),
] as const;

describe('sluice validate and ineffective settings', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  // Attack in docs/security.md: Configurations that load but cannot work.
  it('sluice validate shows warnings with their paths and names', async () => {
    const file = await sandbox.write('config.json', {
      ...config(1, 1, routes),
      storage: { module: 'file_system', root: '/dev/null/x' },
    });
    const { code, stdout, stderr } = await sandbox.run(['validate', '--config', file]);
    expect([code, stdout]).to.deep.equal([0, 'Valid configuration\n']);
    const lines = stderr.trimEnd().split('\n');
    for (const [path, check] of expected)
      expect(
        lines.find((line) => line.startsWith(`warning: apps.http.servers.s.${path}: `)),
        path,
      ).to.match(new RegExp(` \\((?:SL\\d+, )?${check}\\)$`));
    expect(lines.find((line) => line.startsWith('warning: storage.root: '))).to.match(/ \(storage-not-writable\)$/);
    expect(lines).to.have.length(expected.length + 1);
  });

  it('sluice validate reports duplicate keys and their line numbers', async () => {
    const file = await sandbox.write('config.json', '{\n"apps": {"http": {"servers": {}}},\n"apps": {}\n}');
    const { code, stderr } = await sandbox.run(['validate', '--config', file]);
    expect([code, stderr]).to.deep.equal([
      0,
      'warning: apps: duplicate key, repeated on line 3: only the last value applies; remove one of the keys\n',
    ]);
  });

  it('sluice validate shows no warnings for a valid configuration, and rejects a duplicate @id', async () => {
    const fine = await sandbox.write('fine.json', config(1, 1, [says('one')]));
    expect(await sandbox.run(['validate', '--config', fine])).to.include({ code: 0, stderr: '' });
    const twice = [
      { '@id': 'x', ...says('one') },
      { '@id': 'x', ...says('two') },
    ];
    const { code, stderr } = await sandbox.run([
      'validate',
      '--config',
      await sandbox.write('twice.json', config(1, 1, twice)),
    ]);
    expect(code).to.equal(1);
    expect(stderr)
      .to.include('apps.http.servers.s.routes[1]: duplicate @id')
      .and.include('already used by apps.http.servers.s.routes[0]');
  });

  // Attack in docs/security.md: Configurations that load but cannot work.
  it('a dry run returns warnings only for components that the change creates', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', config(admin, http, [says('one'), ...routes.slice(0, 2)]));
    const server = await TestServer.start(sandbox, ['--config', file], admin, http);
    const path = '/config/apps/http/servers/s/routes';
    const text = '{"handle":[{"handler":"reverse_proxy","upstreams":[]}],"handle":[{"handler":"invoke","name":"a"}]}';
    const { status, text: response } = await server.admin(`${path}?dry_run`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      text,
    });
    expect(status).to.equal(200);
    const { warnings } = JSON.parse(response) as { warnings: { check: string; path: string; message: string }[] };
    expect(warnings.map((warning) => [warning.path, warning.check])).to.deep.equal([
      ['apps.http.servers.s.routes.handle', 'duplicate-key'],
      ['apps.http.servers.s.routes[3]', 'route-after-end'],
      ['apps.http.servers.s.routes[3].handle[0].name', 'unknown-named-route'],
    ]);
    const loaded = await server.admin('/load?dry_run', { method: 'POST', body: config(admin, http, routes) });
    const all = (JSON.parse(loaded.text) as { warnings: { check: string }[] }).warnings;
    expect(all.map(({ check }) => check)).to.include.members([
      'proxy-without-upstreams',
      'missing-root',
      'status-code',
    ]);
    const real = await server.admin(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, text });
    expect([real.status, real.text]).to.deep.equal([200, '']);
  });

  describe('sluice validate and suppressed warnings', () => {
    const site = (comment: string): string => `:8080 {\n\t${comment}\n\trespond "{http.request.hots}"\n}\n`;
    const meant = '# lint ignore SL018: a client asks for these very braces';

    it('sluice validate applies suppressions with a reason, and reports suppressions without a reason', async () => {
      const suppressed = await sandbox.write('a/Caddyfile', site(meant));
      expect((await sandbox.run(['validate', '--config', suppressed])).stderr).to.not.contain('SL018');
      const unreasoned = await sandbox.write('b/Caddyfile', site('# lint ignore SL018'));
      expect((await sandbox.run(['validate', '--config', unreasoned])).stderr).to.contain('SL018');
    });

    it('sluice validate applies sluice-lint.json', async () => {
      const routes = [{ handle: [{ handler: 'static_response', body: '{http.request.hots}' }] }];
      const file = await sandbox.write('c/config.json', config(1, 1, routes));
      expect((await sandbox.run(['validate', '--config', file])).stderr).to.contain('SL018');
      await sandbox.write('c/sluice-lint.json', [{ code: 'SL018', path: 'apps.http', reason: 'it is wanted so' }]);
      expect((await sandbox.run(['validate', '--config', file])).stderr).to.not.contain('SL018');
    });

    it('a dry run applies the sluice-lint.json in the directory of the configuration file', async () => {
      const [port, admin] = [await freePort(), await freePort()];
      const routes = [{ handle: [{ handler: 'static_response', body: 'fine' }] }];
      const file = await sandbox.write('f/config.json', config(admin, port, routes));
      const running = await TestServer.start(sandbox, ['--config', file], admin, port);
      try {
        const tried = async (): Promise<string> => {
          const handler = '/config/apps/http/servers/s/routes/0/handle/0';
          const body = { handler: 'static_response', body: '{http.request.hots} and more' };
          const headers = { 'Content-Type': 'application/json' };
          return (await running.admin(`${handler}?dry_run`, { method: 'PATCH', headers, text: JSON.stringify(body) }))
            .text;
        };
        expect(await tried()).to.contain('SL018');
        const suppressions = [{ code: 'SL018', path: 'apps.http', reason: 'it is wanted so' }];
        await sandbox.write('f/sluice-lint.json', suppressions);
        expect(await tried())
          .to.contain('"modules"')
          .and.not.contain('SL018');
        await sandbox.write('f/sluice-lint.json', [{ ...suppressions[0], path: 'apps.tls' }]);
        expect(await tried()).to.contain('SL018');
      } finally {
        await running.stop();
      }
    });

    it('lint suppressions also apply in imported files', async () => {
      await sandbox.write('d/part', `respond "{http.request.hots}" # lint ignore SL018: wanted\n`);
      const file = await sandbox.write('d/Caddyfile', ':8080 {\n\timport part\n}\n');
      expect((await sandbox.run(['validate', '--config', file])).stderr).to.not.contain('SL018');
    });

    it('a dry run of a Caddyfile applies the suppressions in the Caddyfile', async () => {
      const [port, admin] = [await freePort(), await freePort()];
      const text = site(meant).replace(':8080', `:${port}`);
      const global = `{\n\tadmin 127.0.0.1:${admin}\n\tauto_https off\n}\n`;
      const file = await sandbox.write('e/Caddyfile', global + text);
      const running = await TestServer.start(sandbox, ['--config', file], admin, port);
      try {
        const load = async (body: string): Promise<string> =>
          (
            await running.admin('/load?dry_run', {
              method: 'POST',
              headers: { 'Content-Type': 'text/caddyfile' },
              text: body,
            })
          ).text;
        const other = global + text.replace('hots', 'hosts');
        expect(await load(other))
          .to.contain('"modules"')
          .and.not.contain('SL018');
        expect(await load(other.replace(meant, ''))).to.contain('SL018');
      } finally {
        await running.stop();
      }
    });
  });
});
