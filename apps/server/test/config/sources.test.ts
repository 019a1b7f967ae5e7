import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

describe('sluice validate and source locations', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('sluice validate shows source locations in errors and warnings', async () => {
    await sandbox.write('Caddyfile', ':80 {\n\t@bad path_regexp (\n\trespond @bad no\n}\n');
    const refused = await sandbox.run(['validate', '--config', 'Caddyfile']);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('routes[0].match[0].path_regexp.pattern (Caddyfile:2): ');
    await sandbox.write('Caddyfile', ':80 {\n\tfile_server {\n\t\troot /nowhere/at/all\n\t}\n}\n');
    const { code, stderr } = await sandbox.run(['validate', '--config', 'Caddyfile']);
    expect(code).to.equal(0);
    expect(stderr).to.match(/^warning: apps\.\S+\.root \(Caddyfile:3\): .* \(missing-root\)$/m);
  });
});
