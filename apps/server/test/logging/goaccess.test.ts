import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

const goaccess = spawnSync('goaccess', ['--version']).status === 0;

describe('access logs', () => {
  it('are read by goaccess', async function () {
    if (!goaccess) return this.skip();
    this.timeout(60_000);
    const sandbox = new Sandbox();
    try {
      const file = sandbox.path('access.log');
      const [admin, port] = [await freePort(), await freePort()];
      const { apps, ...rest } = config(admin, port, [says('x')]) as { apps: { http: { servers: { s: object } } } };
      Object.assign(apps.http.servers.s, { logs: {} });
      const access = { writer: { output: 'file', filename: file }, include: ['http.log.access'] };
      const path = await sandbox.write('config.json', { ...rest, apps, logging: { logs: { access } } });
      const server = await TestServer.start(sandbox, ['--config', path, '--workers', '2'], admin, port);
      for (let i = 0; i < 50; i++) await server.http(`/${i}?a=b`);
      await server.stop();
      const report = sandbox.path('report.json');
      const read = spawnSync('goaccess', [file, '--log-format=CADDY', '-o', report, '--no-global-config'], {
        encoding: 'utf8',
        env: { ...process.env, TERM: 'dumb', HOME: sandbox.folder },
      });
      expect(read.status, read.stderr).to.equal(0);
      const { general } = JSON.parse(readFileSync(report, 'utf8')) as { general: Record<string, number> };
      expect(general).to.include({ failed_requests: 0, valid_requests: 50 });
    } finally {
      await sandbox.remove();
    }
  });
});
