import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

describe('sluice plan --tests', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  before(async () => {
    sandbox = new Sandbox();
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, [says('open')]), []);
  });
  after(async () => {
    await server.stop();
    await sandbox.remove();
  });

  it('sluice plan --tests runs tests on the server with the planned configuration, and exits with 1 if one fails', async () => {
    const planned = await sandbox.write(
      'planned.json',
      JSON.stringify(config(server.adminPort, server.httpPort, [says('closed')])),
    );
    await sandbox.write(
      'shop.yaml',
      [
        'cases:',
        "- { name: open, request: { url: 'http://x.test/', server: s }, expect: { body: open } }",
        "- { name: there, request: { url: 'http://x.test/', server: s }, expect: { status: 200 } }",
      ].join('\n'),
    );
    const { code, stdout } = await sandbox.run(['plan', planned, '--tests', 'shop.yaml', '--junit', 'plan.xml']);
    expect(stdout).to.include('Tests: 2: 1 passed, 1 failed, 0 skipped.');
    expect(stdout).to.match(/open \(.*shop\.yaml:2\)\n {2}body: expected "open", got "closed"/);
    expect(code).to.equal(1);
    const junit = await readFile(sandbox.path('plan.xml'), 'utf8');
    expect(junit).to.match(/<failure message="open \(.*shop\.yaml:2\)">body: expected/);
    expect((await server.http('/')).text).to.equal('open');
  });

  it('sluice plan --tests rejects an invalid test file and reports the position of the error', async () => {
    await sandbox.write('bad.yaml', 'cases:\n- { request: x, expect: { statu: 1 } }\n');
    const planned = await sandbox.write(
      'planned.json',
      JSON.stringify(config(server.adminPort, server.httpPort, [says('closed')])),
    );
    const { code, stderr } = await sandbox.run(['plan', planned, '--tests', 'bad.yaml']);
    expect(stderr).to.match(/bad\.yaml:2:\d+: .*statu/);
    expect(code).to.equal(2);
  });
}).timeout(60_000);
