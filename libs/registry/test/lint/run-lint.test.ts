import { expect } from 'chai';
import { createLogger, silentLogger, type Json, type LogEntry } from '@sluice/base';
import {
  caddyfile,
  defineLint,
  lint,
  lintChecks,
  loadLintChecks,
  nativeJson,
  Registry,
  textsIn,
  type LintCheck,
} from '@sluice/registry';

describe('lint function', () => {
  const example = nativeJson({});
  const checkOf = (code: string, check: LintCheck['check']): LintCheck =>
    defineLint({
      code,
      name: `is-${code}`,
      severity: 'warning',
      summary: '',
      details: '',
      bad: example,
      good: example,
      check,
    });
  function registryOf(...checks: readonly LintCheck[]): Registry {
    const registry = new Registry();
    for (const check of checks) registry.contribute(lintChecks, { name: check.code, load: async () => check });
    return registry;
  }
  /** Returns a lint check that reports strings beginning with a letter. */
  const finding = (code: string, letter: string): LintCheck =>
    checkOf(code, ({ document }, report) => {
      for (const { text, path } of textsIn(document, [])) if (text.startsWith(letter)) report(path, `it is ${text}`);
    });

  it('lint() sorts findings by path in reading order', async () => {
    const registry = registryOf(finding('B', 'b'), finding('A', 'a'));
    const document: Json = {
      list: Array.from({ length: 11 }, (_, i) => (i === 2 ? 'a' : i === 10 ? 'b' : 'c')),
      a: 'b',
    };
    const found = await lint(registry, document, silentLogger);
    expect(found.map(({ code, path }) => [code, path])).to.deep.equal([
      ['B', 'a'],
      ['A', 'list[2]'],
      ['B', 'list[10]'],
    ]);
    expect(found[1]).to.deep.equal({
      check: 'is-A',
      code: 'A',
      severity: 'warning',
      path: 'list[2]',
      message: 'it is a',
    });
    expect((await loadLintChecks(registry)).map(({ code }) => code)).to.deep.equal(['A', 'B']);
  });

  it('lint() returns the reference page for built-in codes, and the page of the check for other codes', async () => {
    const elsewhere = defineLint({ ...finding('MY002', 'x'), page: 'https://my.example/MY002' });
    const registry = registryOf(finding('SL901', 'x'), finding('MY001', 'x'), elsewhere);
    const found = await lint(registry, { a: 'x' }, silentLogger);
    expect(new Map(found.map(({ code, page }) => [code, page]))).to.deep.equal(
      new Map([
        ['MY001', undefined],
        ['MY002', 'https://my.example/MY002'],
        ['SL901', 'reference/lint/SL901.md'],
      ]),
    );
  });

  it('lint() includes details of a finding, and removes duplicates', async () => {
    const fix = { title: 'Remove it.', operations: [{ op: 'remove', path: '/a' }] } as const;
    const check = checkOf('A', (_configuration, report) => {
      for (let i = 0; i < 2; i++)
        report(['a', '0'], 'is bad', { severity: 'error', fix, related: [{ path: ['b', 'c d'], message: 'see' }] });
      report(['a', '0'], 'is bad in another way');
    });
    const [first, second, ...rest] = await lint(registryOf(check), {}, silentLogger);
    expect(first).to.deep.include({ severity: 'error', fix, related: [{ path: 'b["c d"]', message: 'see' }] });
    expect(second).to.include({ message: 'is bad in another way', severity: 'warning' });
    expect(second).to.not.have.any.keys('related', 'fix');
    expect(rest).to.deep.equal([]);
  });

  it('lint() continues after a check that fails, and logs the error', async () => {
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const failing = checkOf('A', () => Promise.reject(new Error('broken')));
    const found = await lint(registryOf(failing, finding('B', 'b')), { x: 'b' }, log);
    expect(found).to.have.length(1);
    expect(entries.map(({ message, fields }) => [message, fields['check']])).to.deep.equal([
      ['configuration check failed', 'A'],
    ]);
  });

  it('caddyfile and nativeJson create examples marked with their language', () => {
    expect(nativeJson({ a: [1] })).to.deep.equal({ language: 'json', text: '{\n  "a": [\n    1\n  ]\n}' });
    expect(caddyfile('a\n')).to.deep.equal({ language: 'caddyfile', text: 'a\n' });
    expect(checkOf('A', () => undefined)).to.include({ code: 'A' });
    expect(Object.isFrozen(checkOf('A', () => undefined))).to.equal(true);
  });
});
