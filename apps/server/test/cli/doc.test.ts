import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

describe('sluice doc', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  before(() => {
    sandbox = new Sandbox();
  });
  after(() => sandbox.remove());

  it('sluice doc describes a module with its purpose, location, options and an example', async () => {
    const { code, stdout } = await sandbox.run(['doc', 'http.handlers.encode']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^http\.handlers\.encode\n {2}Compresses/);
    expect(stdout).to.include('  In http › servers › routes › handle\n');
    expect(stdout).to.match(/^ {2}minimum_length \(integer; default 512\): /m);
    expect(stdout).to.match(/^Example\n {2}\{\n/m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).to.be.at.most(80);
    expect(stdout).to.not.include('\u001b');
  });

  it('sluice doc follows a path to an option of a hosted module', async () => {
    const { stdout } = await sandbox.run(['doc', 'http.handlers.encode.gzip.level']);
    expect(stdout).to.match(/^http\.encoders\.gzip › level\n {2}integer; default 4\n {2}Compression level from 1/);
  });

  it('sluice doc lists a namespace or the top level', async () => {
    const [namespace, all] = await Promise.all([sandbox.run(['doc', 'http.encoders']), sandbox.run(['doc'])]);
    expect(namespace.stdout).to.match(/^http\.encoders\n {2}br: .*\n(?:.*\n)*? {2}gzip: /);
    for (const part of ['  admin: ', '  http: ', 'http.handlers', 'sluice doc <id>'])
      expect(all.stdout).to.include(part);
  });

  const unknown = [
    ['http.handlers.encode.gzp', 'unknown gzp in http.handlers.encode; did you mean gzip?'],
    ['http.handlers.encod', 'did you mean http.handlers.encode?'],
    ['gzip', 'unknown gzip; did you mean http.encoders.gzip?'],
    ['http.handlers.encode.prefer.x', 'unknown x in http.handlers.encode.prefer; it has no options'],
    ['zzzzzzzz', 'unknown zzzzzzzz; run sluice doc without an argument for a list'],
  ] as const;
  for (const [path, message] of unknown) {
    it(`sluice doc suggests similar names for the invalid path ${path}`, async () => {
      const { code, stderr } = await sandbox.run(['doc', path]);
      expect(code).to.equal(1);
      expect((JSON.parse(stderr) as { msg: string }).msg).to.include(message);
    });
  }
});
