import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const script = fileURLToPath(new URL('../waf-engine.mjs', import.meta.url));

describe('workspace script: waf-engine', () => {
  let cache: string;

  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'waf-engine-test-'));
  });
  afterEach(() => rmSync(cache, { recursive: true }));

  const build = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], {
      encoding: 'utf8',
      env: { PATH: cache, XDG_CACHE_HOME: cache },
    });

  it('waf-engine.mjs reports that Go is not installed, and exits with 1', () => {
    const { status, stderr } = build();
    expect(status).to.equal(1);
    expect(stderr).to.equal('cannot build the engine of the web application firewall: Go is not installed\n');
  });

  it('waf-engine.mjs --find prints "none" if the engine was not built, and exits with 0', () => {
    expect(build('--find')).to.include({ status: 0, stdout: 'none\n' });
  });
});
