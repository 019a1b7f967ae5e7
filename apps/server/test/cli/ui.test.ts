import { createToken } from '@sluice/admin-api';
import { freePort } from '@sluice/testing';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, TestServer } from '../support/server.ts';

describe('sluice ui', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('sluice ui prints the dashboard URL, including a one-time code if the server requires a token', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const { token, hash } = createToken();
    const address = `127.0.0.1:${admin}`;
    const document = { ...config(admin, http, []), admin: { listen: address, tokens: [{ name: 'a', hash }] } };
    const file = await sandbox.write('config.json', document);
    await TestServer.start(sandbox, ['--config', file], admin, http);
    const refused = await sandbox.run(['ui', '--print', '--address', address]);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('requires a token');
    const { code, stdout } = await sandbox.run(['ui', '--print', '--address', address], {
      env: { SERVER_ADMIN_TOKEN: token },
    });
    expect(code).to.equal(0);
    expect(stdout).to.match(new RegExp(`^http://${address}/ui/#code=[\\w-]{43}\n$`));
    expect(stdout).to.not.contain(token);
  });

  it('sluice ui prints instructions if the admin endpoint is a Unix socket', async () => {
    const { code, stderr } = await sandbox.run(['ui', '--address', 'unix//run/sluice.sock']);
    expect(code).to.equal(1);
    expect(stderr).to.contain('which browsers cannot open');
  });
});
