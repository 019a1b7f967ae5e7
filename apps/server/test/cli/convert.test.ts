import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

describe('sluice convert', () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
  });

  afterEach(() => sandbox.remove());

  const routes = [{ handle: [{ handler: 'static_response', body: 'hello' }] }];
  const http = { servers: { srv0: { listen: [':8080'], routes } } };

  it('sluice convert prints the Caddyfile of a JSON configuration', async () => {
    const file = await sandbox.write('sluice.json', JSON.stringify({ apps: { http } }));
    const { code, stdout, stderr } = await sandbox.run(['convert', '--config', file]);
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 0,
      stdout: ':8080 {\n\trespond hello\n}\n',
      stderr: 'identical: the file adapts to the same configuration\n',
    });
  });

  it('sluice convert reads the output of the admin API from standard input', async () => {
    const { code, stdout } = await sandbox.run(['convert'], { stdin: JSON.stringify({ apps: { http } }) });
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: ':8080 {\n\trespond hello\n}\n' });
  });

  it('sluice convert writes a lossy Caddyfile, but prints a warning and exits with an error', async () => {
    const file = await sandbox.write('sluice.json', JSON.stringify({ apps: { http, other: { key: 1 } } }));
    const output = await sandbox.write('Caddyfile', '');
    const { code, stderr } = await sandbox.run(['convert', '--config', file, '--output', output]);
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr:
        'lossy: the Caddyfile does not represent the whole configuration\nwarning: apps.other is not representable in a Caddyfile\n',
    });
    expect(await readFile(output, 'utf8')).to.contain('# apps.other: {"key":1}\n:8080 {\n\trespond hello\n}\n');
  });

  it('sluice convert reports parts of the output that are equivalent to the input but written differently', async () => {
    const put = { match: [{ method: ['PUT'] }, { path: ['/a'] }], handle: routes[0]?.handle ?? [] };
    const server = { listen: [':8080'], routes: [put] };
    const file = await sandbox.write('sluice.json', JSON.stringify({ apps: { http: { servers: { srv0: server } } } }));
    const { code, stderr } = await sandbox.run(['convert', '--config', file]);
    expect(code).to.equal(0);
    expect(stderr).to.match(/^equivalent: .*:\nnote: apps\.http\.servers\.srv0\.routes\[0\]\.match\n$/);
  });

  it('sluice convert reports the file name that its output must have if a file server hides the configuration file by name', async () => {
    const files = [{ handle: [{ handler: 'file_server', hide: ['./Caddyfile'] }] }];
    const server = { listen: [':8080'], routes: files };
    const file = await sandbox.write('sluice.json', JSON.stringify({ apps: { http: { servers: { srv0: server } } } }));
    const output = await sandbox.write('site.conf', '');
    const { code, stderr } = await sandbox.run(['convert', '--config', file, '--output', output]);
    expect(code).to.equal(0);
    expect(stderr).to.contain('note: save the Caddyfile as Caddyfile');
  });

  it('sluice convert rejects text that is not a configuration', async () => {
    const file = await sandbox.write('sluice.json', 'null');
    const { code, stderr } = await sandbox.run(['convert', '--config', file]);
    expect(code).to.equal(1);
    expect(stderr).to.contain('nothing to convert');
  });
});
