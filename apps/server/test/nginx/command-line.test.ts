import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

describe('sluice adapt --adapter nginx', () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
  });

  afterEach(() => sandbox.remove());

  it('sluice adapt --adapter nginx prints native JSON, and warnings with the file and line', async () => {
    const site = await sandbox.write(
      'sites/a.conf',
      'server {\n  listen 127.0.0.1:8080;\n  limit_rate 1k;\n  return 200 "hello";\n}\n',
    );
    const file = await sandbox.write('nginx.conf', 'http {\n  include sites/*.conf;\n}\n');
    const { code, stdout, stderr } = await sandbox.run(['adapt', '--config', file, '--adapter', 'nginx', '--validate']);
    expect({ code, stderr }).to.deep.equal({
      code: 0,
      stderr: `warning: ${site}:3: limit_rate is not supported: response bandwidth is not limited\n`,
    });
    expect(JSON.parse(stdout))
      .to.have.nested.property('apps.http.servers.srv0.listen')
      .that.deep.equals(['127.0.0.1:8080']);
  });

  it('sluice adapt --adapter nginx reports the location of an error', async () => {
    const file = await sandbox.write('nginx.conf', 'http {\n  server {\n    listen 80 sll;\n  }\n}\n');
    const { code, stderr } = await sandbox.run(['adapt', '--config', file, '--adapter', 'nginx']);
    expect(code).to.equal(1);
    expect(stderr).to.contain(`${file}:3: expected a parameter of listen such as ssl or default_server`);
  });
});
