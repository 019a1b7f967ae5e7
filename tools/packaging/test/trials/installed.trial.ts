/**
 * Tests library packages that are installed from their tarballs outside the workspace. `npm run test:packed` runs the tests of all
 * libraries.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { publishedPackages } from '../../src/libraries/published.ts';
import { docsOf } from '../../src/packed/docs.ts';
import { faultsOf } from '../../src/packed/faults.ts';
import { makePrefix } from '../../src/packed/prefix.ts';
import { runTests } from '../../src/packed/run-tests.ts';
import { workspaceRoot } from '../../src/workspace.ts';
import { temporaryFolder } from '../support.ts';

describe('packaging: library packages installed from their tarballs', function () {
  this.timeout(600_000);
  const home = temporaryFolder();
  after(() => home.remove());
  const prefix = join(home.folder, 'prefix');
  /** Packages with fast tests. `npm run test:packed` tests all packages. */
  const quick =
    /^libs\/(?:base|caddyfile|contracts|events-app|module|registry|modules\/(?:caddy\.fs|http\.encoders|tls\.stek))$/;
  before(function () {
    const { status, stdout } = spawnSync('tsc', ['-b', '--checkers', '1'], { cwd: workspaceRoot, encoding: 'utf8' });
    expect(status, stdout).to.equal(0);
    try {
      makePrefix(home.folder, publishedPackages());
    } catch (error) {
      if (!/\bE(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH|NOTCACHED)\b/.test(String(error))) throw error;
      process.stdout.write('      skipped: npm cannot reach a registry\n');
      this.skip();
    }
  });

  it('installed packages contain everything they import', () => {
    expect(faultsOf(prefix, publishedPackages())).to.deep.equal([]);
  });

  it('installed packages generate the docs of the workspace', () => {
    expect(docsOf(prefix)).to.deep.equal([]);
  });

  it('installed packages pass their tests', async () => {
    const packages = publishedPackages().filter(({ path }) => quick.test(path));
    expect(packages).to.have.length(9);
    const { passed, failed } = await runTests(prefix, packages);
    expect(failed).to.equal(0);
    expect(passed).to.be.above(1000);
  });
});
