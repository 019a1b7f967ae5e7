import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from './support/sandbox.ts';
import { TestServer } from './support/server.ts';
import { asUrl } from '../src/served-addresses.ts';

describe('startup message', function () {
  this.timeout(30_000);

  it('the startup message contains the addresses of all servers and of the admin endpoint', async () => {
    const sandbox = new Sandbox();
    const [admin, plain, secure, other] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const socket = sandbox.path('site.sock');
    const file = await sandbox.write('config.json', {
      admin: { listen: `localhost:${admin}` },
      apps: {
        http: {
          http_port: other,
          servers: {
            a: { listen: [`127.0.0.1:${plain}`, `unix/${socket}`], routes: [] },
            b: { listen: [`:${secure}`], tls_connection_policies: [{}], automatic_https: { disable_redirects: true } },
          },
        },
      },
    });
    const server = await TestServer.start(sandbox, ['--config', file], admin, plain);
    const line = server.log.find(({ msg }) => msg === 'serving');
    expect(line?.admin).to.equal(`localhost:${admin}`);
    expect(line?.addresses).to.deep.equal([`127.0.0.1:${plain}`, `unix/${socket}`, `:${secure}`]);
    await server.stop();
    await sandbox.remove();
  });

  it('the startup message contains URLs if the output is a terminal', async function () {
    const sandbox = new Sandbox();
    const [admin, plain, secure] = [await freePort(), await freePort(), await freePort()];
    const file = await sandbox.write('config.json', {
      admin: { listen: `localhost:${admin}` },
      apps: {
        http: {
          http_port: plain,
          https_port: secure,
          servers: {
            a: { listen: [`:${plain}`] },
            b: {
              listen: [`127.0.0.1:${secure}`],
              tls_connection_policies: [{}],
              automatic_https: { disable_redirects: true },
            },
          },
        },
      },
    });
    const text = await sandbox.onTerminal(['run', '--config', file, '--workers', '0'], (seen) =>
      seen.includes('"pid"'),
    );
    if (text === null) this.skip();
    expect(text).to.contain(`"addresses": ["http://localhost:${plain}", "https://127.0.0.1:${secure}"]`);
    expect(text).to.contain(`"admin": "http://localhost:${admin}"`);
    const lines = text
      .trimEnd()
      .split(/\r?\n/)
      .filter((line) => line.includes('INFO'));
    expect(lines.length).to.be.greaterThan(1);
    // The log format must be the same before and after a configuration becomes active.
    for (const line of lines.map((each) => each.replace('^C', '')))
      expect(line).to.match(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{3}\t\S*INFO\S*\t/);
    await sandbox.remove();
  });

  it('asUrl returns the admin endpoint as a URL if possible', () => {
    expect([asUrl('localhost:2019'), asUrl(':2019'), asUrl('unix//run/a.sock'), asUrl(null)]).to.deep.equal([
      'http://localhost:2019',
      'http://localhost:2019',
      'unix//run/a.sock',
      null,
    ]);
  });
});
