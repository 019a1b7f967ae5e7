import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Registry } from '@sluice/registry';
import { lintFile } from '../../../src/cli/lint/lint-file.ts';
import { suppress } from '../../../src/configuration/suppressions.ts';
import { registerStandard } from '../../../src/register-standard.ts';

const sites = fileURLToPath(new URL('../../../../../tools/conformance/sites/', import.meta.url));
const registry = new Registry();
registerStandard(registry);

/** Replaces environment variables in a Caddyfile: upstreams with addresses, and all other values with ports. */
function filledIn(text: string): string {
  let port = 9000;
  const values = new Map<string, string>();
  return text.replaceAll(/\{\$(\w+)\}/g, (_, name: string) => {
    const value = values.get(name) ?? (name.endsWith('PORT') ? String(++port) : `127.0.0.1:${++port}`);
    values.set(name, value);
    return value;
  });
}

describe('sluice lint on typical configurations', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const names = readdirSync(sites, { withFileTypes: true }).filter((each) => each.isDirectory());
  it('there are at least thirty typical configurations', () => expect(names).to.have.length.at.least(30));

  for (const { name } of names) {
    it(`sluice lint reports nothing in ${name}`, async () => {
      const there = join(folder, name);
      cpSync(join(sites, name), there, { recursive: true });
      writeFileSync(join(there, 'global'), filledIn(readFileSync(join(sites, 'global.caddy'), 'utf8')));
      const file = join(there, 'Caddyfile');
      writeFileSync(file, filledIn(readFileSync(file, 'utf8')));
      const { findings } = suppress((await lintFile({ file }, registry)).findings, file);
      expect(findings.map(({ code, source, message }) => `${code} ${source}: ${message}`)).to.deep.equal([]);
    });
  }
});
