import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { expect } from 'chai';
import { resolveGlobal } from '@sluice/base';

describe('resolveGlobal', () => {
  const valueOf = (name: string): unknown => resolveGlobal(name)?.(null);

  it('resolveGlobal resolves system placeholders', () => {
    expect(valueOf('system.hostname')).to.equal(hostname());
    expect(valueOf('system.slash')).to.equal(sep);
    expect(valueOf('system.wd')).to.equal(process.cwd());
    expect(valueOf('system.os')).to.equal(process.platform === 'win32' ? 'windows' : process.platform);
    const names: Record<string, string> = { x64: 'amd64', ia32: '386' };
    expect(valueOf('system.arch')).to.equal(names[process.arch] ?? process.arch);
  });

  it('resolveGlobal resolves time placeholders to the current time', () => {
    const now = Date.now();
    expect(valueOf('time.now.unix_ms')).to.be.within(now, now + 5000);
    expect(valueOf('time.now.unix')).to.be.within(Math.floor(now / 1000), Math.floor(now / 1000) + 5);
    expect(Number.isInteger(valueOf('time.now.unix'))).to.equal(true);
    expect(valueOf('time.now.year')).to.be.within(new Date(now).getFullYear(), new Date(now).getFullYear() + 1);
    expect(Date.parse(String(valueOf('time.now.http')))).to.be.within(now - 1000, now + 5000);
    expect(valueOf('time.now.common_log')).to.match(/^\d\d\/[A-Z][a-z]{2}\/\d{4}(?::\d\d){3} [+-]\d{4}$/);
  });

  it('resolveGlobal resolves env placeholders to environment variables, or to an empty string if unset', () => {
    process.env['SLUICE_TEST_VARIABLE'] = 'value';
    expect(valueOf('env.SLUICE_TEST_VARIABLE')).to.equal('value');
    delete process.env['SLUICE_TEST_VARIABLE'];
    expect(valueOf('env.SLUICE_TEST_VARIABLE')).to.equal('');
  });

  it('resolveGlobal returns null for unknown names', () => {
    for (const name of ['', 'env', 'file', 'time', 'toString', 'system.other', 'http.request.uri'])
      expect(resolveGlobal(name), name).to.equal(null);
  });

  it('resolveGlobal resolves file placeholders to the file content without the final newline', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-base-'));
    const file = join(folder, 'file');
    const contents: [content: string, value: string][] = [
      ['a', 'a'],
      ['a\n', 'a'],
      ['a\r\n', 'a'],
      ['a\n\n', 'a\n'],
      ['', ''],
      ['x'.repeat(1024 * 1024), 'x'.repeat(1024 * 1024)],
      ['x'.repeat(1024 * 1024 + 1), ''],
    ];
    for (const [content, value] of contents) {
      writeFileSync(file, content);
      expect(valueOf(`file.${file}`) === value).to.equal(true);
    }
    rmSync(folder, { recursive: true });
    expect(valueOf(`file.${file}`)).to.equal('');
  });
});
