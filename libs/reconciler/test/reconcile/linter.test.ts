import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { defineLint, lintChecks, nativeJson, Registry, textsIn } from '@sluice/registry';
import type { BuildHost } from '../../src/reconcile/build-start.ts';
import { Linter } from '../../src/reconcile/linter.ts';

describe('Linter.newIn', () => {
  /** Documents passed to the linter, in order. */
  const linted: Json[] = [];
  let host: BuildHost;
  beforeEach(() => {
    linted.length = 0;
    const example = nativeJson({});
    const check = defineLint({
      code: 'TEST1',
      name: 'bad-text',
      severity: 'warning',
      summary: 'A text is bad.',
      details: 'As the test says.',
      bad: example,
      good: example,
      check({ document }, report) {
        linted.push(document);
        for (const { text, path } of textsIn(document, []))
          if (text.startsWith('bad')) report(text.endsWith('!') ? path.slice(0, -1) : path, `${text} is bad`);
      },
    });
    const registry = new Registry();
    registry.contribute(lintChecks, { name: check.code, load: async () => check });
    host = {
      registry,
      log: silentLogger,
      roles: { control: true, traffic: false },
      services: new Map(),
      check: true,
      provisionTimeout: 1000,
    };
  });
  const places = async (linter: Linter, document: Json, inForce: Json): Promise<readonly string[]> =>
    (await linter.newIn(document, inForce, host)).map(({ path, message }) => `${path}: ${message}`);

  it('Linter.newIn returns the findings that are new compared with the active document', async () => {
    const linter = new Linter();
    expect(await places(linter, { a: 'bad', b: 'bad' }, null)).to.deep.equal(['a: bad is bad', 'b: bad is bad']);
    expect(await places(linter, { a: 'bad', b: 'bad' }, { a: 'bad' })).to.deep.equal(['b: bad is bad']);
    expect(await places(linter, { a: 'bad 2' }, { a: 'bad' })).to.deep.equal(['a: bad 2 is bad']);
    expect(await places(linter, { a: 'bad' }, { a: 'bad' })).to.deep.equal([]);
  });

  it('Linter.newIn ignores a moved object, and reports another object at its position', async () => {
    const [one, two] = [{ text: 'bad!' }, { text: 'bad!' }];
    const inForce = { list: [one] };
    expect(await places(new Linter(), { list: ['good', one] }, inForce)).to.deep.equal([]);
    expect(await places(new Linter(), { list: [two] }, inForce)).to.deep.equal(['list[0]: bad! is bad']);
    // A single object may have several findings.
    const both = { list: [{ a: 'bad!', b: 'bad 2!' }] };
    expect(await places(new Linter(), both, both)).to.deep.equal([]);
  });

  it('Linter.newIn lints the active document at most once, and only if there are findings', async () => {
    const linter = new Linter();
    const [first, second] = [{ a: 'bad' }, { b: 'bad' }];
    await places(linter, { x: 'good' }, first);
    expect(linted).to.have.length(1);
    for (let i = 0; i < 3; i++) await places(linter, { x: 'bad' }, first);
    expect(linted.filter((document) => document === first)).to.have.length(1);
    expect(await places(linter, { b: 'bad' }, second)).to.deep.equal([]);
    expect(await places(linter, { b: 'bad' }, first)).to.deep.equal(['b: bad is bad']);
  });
});
