import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

const late = fileURLToPath(new URL('../fixtures/late', import.meta.url));
const path = '/config/apps/http/servers/s/routes';

describe('modules loaded on demand', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  const handler = (name: string, more: object = {}): object => ({ handle: [{ handler: name, to: 'you', ...more }] });

  for (const workers of ['0', '2']) {
    it(`every thread loads a new module before the server confirms the change, with --workers ${workers} @long`, async () => {
      const log = sandbox.path('late.log');
      const server = await TestServer.run(sandbox, [says('before')], ['--module', late, '--workers', workers], {
        env: { LATE_LOG: log },
      });
      expect((await server.http()).text).to.equal('before');
      expect(existsSync(log)).to.equal(false);

      const change = { method: 'PATCH', body: [handler('late')] };
      expect(await server.admin(path, change)).to.include({ status: 200 });
      const threads = readFileSync(log, 'utf8').trim().split('\n');
      expect(new Set(threads).size).to.equal(Number(workers) + 1);
      expect((await server.http()).text).to.equal('hello you');

      // The options of modules that are loaded on demand are validated like those of other modules.
      const wrong = await server.admin(path, { method: 'PATCH', body: [handler('late', { two: 1 })] });
      expect(wrong.status).to.equal(500);
      expect(wrong.text).to.contain('unknown key \\"two\\" of http.handlers.late; it has to');
      expect((await server.http()).text).to.equal('hello you');
      expect(readFileSync(log, 'utf8').trim().split('\n')).to.deep.equal(threads);
      await server.stop();
    });
  }

  for (const [name, reason] of [
    ['late_broken', 'module http.handlers.late_broken cannot be loaded: this file is broken (package late)'],
    [
      'late_broken_in_workers',
      'module http.handlers.late_broken_in_workers cannot be loaded: this file is broken (package late)',
    ],
    [
      'late_other',
      'module http.handlers.late_other cannot be loaded: the package provided module http.handlers.late instead (package late)',
    ],
  ] as const) {
    it(`the server rejects a change whose module cannot be loaded, reports the module, and keeps running: ${name}`, async () => {
      const env = { LATE_LOG: sandbox.path('late.log') };
      const server = await TestServer.run(sandbox, [says('before')], ['--module', late, '--workers', '2'], { env });
      const before = (await server.admin('/config/')).text;
      // The second attempt must be rejected like the first.
      for (let i = 0; i < 2; i++) {
        const refused = await server.admin(path, { method: 'PATCH', body: [handler(name)] });
        expect(refused.status).to.equal(500);
        expect(refused.text).to.contain(`apps.http.servers.s.routes[0].handle[0]: ${reason}`);
      }
      expect((await server.admin('/config/')).text).to.equal(before);
      for (let i = 0; i < 6; i++) expect((await server.http()).text).to.equal('before');
      expect(await server.admin(path, { method: 'PATCH', body: [says('after')] })).to.include({ status: 200 });
      expect((await server.http()).text).to.equal('after');
      await server.stop();
    });
  }
});
