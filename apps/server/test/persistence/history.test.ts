import { readFile, stat } from 'node:fs/promises';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

const body = '/config/apps/http/servers/s/routes/0/handle/0/body';

interface Shown {
  readonly revision: number;
  readonly origin: string;
  readonly patch: readonly unknown[];
}

describe('server history', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  const shown = async (server: TestServer): Promise<Shown[]> =>
    JSON.parse((await server.admin('/history')).text) as Shown[];

  it('the history and rollbacks continue after a restart', async () => {
    const before = await TestServer.run(sandbox, [says('one')]);
    for (const value of ['two', 'three']) await before.admin(body, { method: 'PATCH', body: value });
    await before.stop();
    expect((await stat(`${sandbox.configuration}/history.journal`)).mode & 0o777).to.equal(0o600);
    const { adminPort, httpPort } = before;
    const after = await TestServer.start(sandbox, ['--resume'], adminPort, httpPort);
    expect((await shown(after)).map(({ revision, patch }) => [revision, patch.length])).to.deep.equal([
      [4, 0],
      [3, 1],
      [2, 1],
      [1, 1],
    ]);
    expect((await after.admin('/history/2/apply', { method: 'POST' })).status).to.equal(200);
    expect((await after.http()).text).to.equal('two');
    await after.stop();
  });

  it('the history survives a crash, except for the most recent changes', async () => {
    const before = await TestServer.run(sandbox, [says('one')]);
    await before.admin(body, { method: 'PATCH', body: 'two' });
    await new Promise((resolve) => setTimeout(resolve, 600));
    await before.stop('SIGKILL');
    const { adminPort, httpPort } = before;
    const after = await TestServer.start(sandbox, ['--resume'], adminPort, httpPort);
    expect((await shown(after)).map(({ revision }) => revision)).to.deep.equal([3, 2, 1]);
    await after.stop();
  });

  it('starting with another configuration is recorded as a change', async () => {
    const before = await TestServer.run(sandbox, [says('one')]);
    await before.stop();
    const after = await TestServer.run(sandbox, [says('other')]);
    const [last] = await shown(after);
    expect(last?.revision).to.equal(2);
    expect(JSON.stringify(last?.patch)).to.contain('other');
    await after.stop();
  });

  it('the history is not written if the configuration is not saved', async () => {
    const server = await TestServer.run(sandbox, [says('one')]);
    const document = config(server.adminPort, server.httpPort, [says('SECRET')]);
    const admin = { ...(document['admin'] as object), config: { persist: false } };
    expect((await server.admin('/load', { method: 'POST', body: { ...document, admin } })).status).to.equal(200);
    expect((await server.http()).text).to.equal('SECRET');
    await server.stop();
    const kept = await readFile(`${sandbox.configuration}/history.journal`, 'utf8');
    expect(kept).to.contain('one').and.not.contain('SECRET');
  });
});
