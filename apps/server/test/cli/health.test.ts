import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, TestServer } from '../support/server.ts';

describe('sluice health', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('sluice health succeeds for a running server, even if it requires a token', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const hash = `sha256:${'0'.repeat(64)}`;
    const document = {
      ...config(admin, http, []),
      admin: { listen: `127.0.0.1:${admin}`, tokens: [{ name: 'a', hash }] },
    };
    const file = await sandbox.write('config.json', document);
    await TestServer.start(sandbox, ['--config', file], admin, http);
    const { code, stdout } = await sandbox.run(['health', '--address', `127.0.0.1:${admin}`]);
    expect([code, stdout]).to.deep.equal([0, 'the server is healthy\n']);
  });

  it('sluice health fails if no server is running', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const { code, stderr } = await sandbox.run(['health', '--address', address]);
    expect(code).to.equal(1);
    expect(stderr).to.include(`cannot reach the server at ${address}: connect ECONNREFUSED`);
  });
});
