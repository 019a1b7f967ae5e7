import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from '@sluice/registry';
import { lintFile } from '../../src/cli/lint/lint-file.ts';
import { suppress } from '../../src/configuration/suppressions.ts';
import { textReport } from '../../src/cli/lint/text-report.ts';
import { registerStandard } from '../../src/register-standard.ts';

const guide = readFileSync(new URL('../../../../docs/guide/lint.md', import.meta.url), 'utf8');
const examples = [
  ...guide.matchAll(/<!-- linted -->\n\n```caddyfile\n([^]*?)```\n\n```console\n\$ sluice lint\n([^]*?)```/g),
];

describe('guide docs/guide/lint.md', () => {
  const registry = new Registry();
  registerStandard(registry);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('the lint guide contains examples', () => expect(examples).to.have.length(2));

  for (const [index, [, text = '', printed = '']] of examples.entries()) {
    it(`the lint guide shows the actual output in example ${index + 1}`, async () => {
      const file = join(folder, 'Caddyfile');
      writeFileSync(file, text);
      const report = textReport(suppress((await lintFile({ file }, registry)).findings, file), file);
      expect(report.replaceAll(`${folder}/`, '')).to.equal(printed);
    });
  }
});
