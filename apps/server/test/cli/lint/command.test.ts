import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { Sandbox } from '../../support/sandbox.ts';

const bad = ':8080 {\n\treverse_proxy {http.request.header.X-Backend}\n}\n';
const good = ':8080 {\n\treverse_proxy 127.0.0.1:9000\n}\n';

describe('sluice lint', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('sluice lint exits with 0 if there are no findings, 1 if there are findings, and 2 if the file is unreadable', async () => {
    const fine = await sandbox.run(['lint', await sandbox.write('good/Caddyfile', good)]);
    expect([fine.code, fine.stdout]).to.deep.equal([0, 'no findings\n']);
    const wrong = await sandbox.run(['lint', await sandbox.write('bad/Caddyfile', bad)]);
    expect(wrong.code).to.equal(1);
    expect(wrong.stdout).to.match(/bad\/Caddyfile:2:16: error SL021: .*\n1 error\n$/);
    expect((await sandbox.run(['lint', await sandbox.write('no/Caddyfile', 'site {')])).code).to.equal(2);
    expect((await sandbox.run(['lint', '/nowhere/at/all'])).code).to.equal(2);
  });

  it('sluice lint applies suppressions with a reason, and reports unused suppressions and suppressions without a reason', async () => {
    const ignored = bad.replace('\treverse', '\t# lint ignore SL021: only we get here\n\treverse');
    const file = await sandbox.write('Caddyfile', ignored);
    const { code, stdout } = await sandbox.run(['lint', file, '--format', 'json']);
    const report = JSON.parse(stdout) as { findings: object[]; suppressed: { code: string; reason: string }[] };
    expect([code, report.findings]).to.deep.equal([0, []]);
    expect(report.suppressed.map((each) => [each.code, each.reason])).to.deep.equal([['SL021', 'only we get here']]);
    const silent = await sandbox.run([
      'lint',
      await sandbox.write('a/Caddyfile', ignored.replace(': only we get here', '')),
    ]);
    expect(silent.stdout)
      .to.match(/ SL021: /)
      .and.match(/ SL000: has no reason/);
    const needless = `# lint ignore SL001: once it was\n${good}`;
    const reported = await sandbox.run(['lint', await sandbox.write('b/Caddyfile', needless)]);
    expect(reported.stdout).to.match(/ SL000: is unused/);
  });

  it('sluice lint reads suppressions for JSON files from sluice-lint.json, including suppressions for descendant paths', async () => {
    const routes = [{ handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: '{http.request.host}:80' }] }] }];
    const document = {
      apps: { http: { servers: { s: { listen: [':8080'], routes }, t: { listen: [':8081'], routes } } } },
    };
    const file = await sandbox.write('config.json', document);
    await sandbox.write('sluice-lint.json', [{ code: 'SL021', path: 'apps.http.servers.s', reason: 'a test' }]);
    const { stdout } = await sandbox.run(['lint', file, '--format', 'json']);
    const { findings } = JSON.parse(stdout) as { findings: { path: string; place: { line: number } }[] };
    expect(findings.map(({ path }) => path)).to.deep.equal([
      'apps.http.servers.t.routes[0].handle[0].upstreams[0].dial',
    ]);
    expect(findings[0]?.place.line).to.be.above(0);
  });

  it('sluice lint prints SARIF with rules, locations and suppressions', async () => {
    const file = await sandbox.write('Caddyfile', bad);
    const { stdout } = await sandbox.run(['lint', file, '--format', 'sarif']);
    const log = JSON.parse(stdout) as {
      version: string;
      runs: [{ tool: { driver: { rules: { id: string }[] } }; results: object[] }];
    };
    expect(log.version).to.equal('2.1.0');
    expect(log.runs[0].tool.driver.rules.map(({ id }) => id)).to.include('SL021');
    expect(log.runs[0].results).to.have.length(1);
    expect(log.runs[0].results[0]).to.deep.include({ ruleId: 'SL021', level: 'error' });
    expect(log.runs[0].results[0]).to.have.nested.property('locations[0].physicalLocation.region.startLine', 2);
  });

  it('sluice lint --fix removes unreachable routes, and leaves the rest of the file unchanged', async () => {
    const says = (body: string): object => ({ handle: [{ handler: 'static_response', body }] });
    const routes = [says('one'), says('two'), says('three')];
    const document = { apps: { http: { servers: { s: { listen: [':8080'], routes } } } } };
    const file = await sandbox.write('config.json', `${JSON.stringify(document, null, '\t')}\n`);
    const { code, stdout } = await sandbox.run(['lint', file, '--fix']);
    expect([code, stdout]).to.deep.equal([0, 'no findings\n']);
    const kept = { apps: { http: { servers: { s: { listen: [':8080'], routes: routes.slice(0, 1) } } } } };
    expect(await readFile(join(dirname(file), 'config.json'), 'utf8')).to.equal(
      `${JSON.stringify(kept, null, '\t')}\n`,
    );
    const caddyfile = await sandbox.run(['lint', await sandbox.write('Caddyfile', bad), '--fix']);
    expect(caddyfile.code).to.equal(2);
  });
});
