import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

const goaccess = spawnSync('goaccess', ['--version']).status === 0;

describe('access logs', () => {
  it('GoAccess can read access logs', async function () {
    if (!goaccess) return this.skip();
    this.timeout(60_000);
    const sandbox = new Sandbox();
    try {
      const file = sandbox.path('access.log');
      const access = { writer: { output: 'file', filename: file }, include: ['http.log.access'] };
      const configuration = (admin: number, http: number): unknown => ({
        ...config(admin, http, [says('x')], { logs: {} }),
        logging: { logs: { access } },
      });
      const server = await TestServer.runWith(sandbox, configuration, ['--workers', '2']);
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
