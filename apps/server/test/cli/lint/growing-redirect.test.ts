import { expect } from 'chai';
import { Registry } from '@sluice/registry';
import { lintFile } from '../../../src/cli/lint/lint-file.ts';
import { registerStandard } from '../../../src/register-standard.ts';
import { Sandbox } from '../../support/sandbox.ts';

describe('lint of redirects to growing addresses', () => {
  it('sluice lint reports a redirect that doubles the path in each step, and takes less than two seconds', async function () {
    this.timeout(60_000);
    const sandbox = new Sandbox();
    const registry = new Registry();
    registerStandard(registry);
    const lint = async (target: string): Promise<{ codes: readonly unknown[]; cpu: number }> => {
      const file = await sandbox.write('Caddyfile', `example.com {\n\tredir ${target} permanent\n}\n`);
      const before = process.cpuUsage();
      const { findings } = await lintFile({ file }, registry);
      const { user, system } = process.cpuUsage(before);
      return { codes: findings.map(({ code }) => code), cpu: (user + system) / 1000 };
    };
    try {
      expect((await lint('https://www.example.com{uri}')).codes).to.deep.equal([]);
      const { codes, cpu } = await lint('www.example.com{uri}');
      expect(codes).to.deep.equal(['SL041', 'SL056']);
      // Following 24 steps took 6 s.
      expect(cpu).to.be.lessThan(1500);
    } finally {
      await sandbox.remove();
    }
  });
});
