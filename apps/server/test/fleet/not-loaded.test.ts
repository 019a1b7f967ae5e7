import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Sandbox, workspaceCommand } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

const record = pathToFileURL(fileURLToPath(new URL('../fixtures/loaded/record.mjs', import.meta.url))).href;

describe('server that is not in a fleet', function () {
  this.timeout(60_000);

  it('a server outside of a fleet loads only the code that registers fleet routes, and reports that it is not a member @long', async () => {
    const sandbox = new Sandbox();
    sandbox.command = workspaceCommand;
    const log = sandbox.path('loaded.log');
    const env = { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${record}`, LOADED_LOG: log };
    try {
      const server = await TestServer.run(sandbox, [says('hello')], ['--workers', '1'], { env });
      await server.admin('/config/apps/http/servers/s/routes', { method: 'POST', body: says('more') });
      const loaded = (): string[] =>
        [...new Set(readFileSync(log, 'utf8').split('\n'))].filter((url) =>
          /\/libs\/fleet\/|@sluice\/fleet\/|grpc|fleet\.stores|src\/fleet\/|dist\/fleet\//.test(url),
        );
      const names = loaded().map((url) => url.replace(/^.*\/(?:src|dist)\//, '').replace(/\.[jt]s$/, ''));
      expect(names.sort()).to.deep.equal([
        'addresses',
        'addresses',
        'fleet/fleet-lifecycle',
        'fleet/settings',
        'index',
        'module-index',
        'register',
      ]);
      const { status, text } = await server.admin('/fleet');
      expect(status).to.equal(404);
      expect(text).to.include('in no fleet');
      expect((await server.admin('/readyz')).status).to.equal(200);
      await server.stop();
    } finally {
      await sandbox.remove();
    }
  });
});
