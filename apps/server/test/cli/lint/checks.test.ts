import { expect } from 'chai';
import { adaptConfig } from '@sluice/reconciler';
import { silentLogger, type Json } from '@sluice/base';
import { lint, loadLintChecks, Registry, type Finding, type LintExample } from '@sluice/registry';
import { registerStandard } from '../../../src/register-standard.ts';

const registry = new Registry();
registerStandard(registry);
const checks = await loadLintChecks(registry);

async function findingsIn({ language, text }: LintExample): Promise<readonly Finding[]> {
  const document = language === 'json' ? (JSON.parse(text) as Json) : await adapted(text);
  return lint(registry, document, silentLogger);
}

async function adapted(text: string): Promise<Json> {
  const { config, warnings } = await adaptConfig(registry, 'caddyfile', text);
  expect(warnings).to.deep.equal([]);
  return config;
}

describe('lint checks', () => {
  it('lint codes are consecutive', () => {
    for (const { code } of checks) expect(code).to.match(/^SL\d{3}$/);
    expect(new Set(checks.map(({ code }) => code)).size).to.equal(checks.length);
    expect(new Set(checks.map(({ name }) => name)).size).to.equal(checks.length);
  });

  for (const { code, name, bad, good } of checks) {
    it(`lint check ${code} reports ${name} in its bad example`, async () => {
      expect((await findingsIn(bad)).map((each) => each.code)).to.include(code);
    });

    it(`the good example of lint check ${code} passes this and all other checks`, async () => {
      expect(await findingsIn(good)).to.deep.equal([]);
    });
  }

  it('lint checks report nothing in an empty configuration', async () => {
    expect(await lint(registry, null, silentLogger)).to.deep.equal([]);
    expect(await lint(registry, { apps: { http: { servers: { s: {} } } } }, silentLogger)).to.deep.equal([]);
  });
});
