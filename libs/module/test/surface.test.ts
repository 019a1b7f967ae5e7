import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import * as surface from '@sluice/module';
import * as directive from '@sluice/module/directive';

const report = await readFile(new URL('../module.api.md', import.meta.url), 'utf8');

describe('exports of @sluice/module', () => {
  it('module.api.md lists every value that @sluice/module exports', () => {
    const missing = Object.keys(surface).filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(report));
    expect(missing).to.deep.equal([]);
  });

  it('@sluice/module and @sluice/module/directive share only the names of three option types', () => {
    expect(
      Object.keys(directive)
        .filter((name) => name in surface)
        .toSorted(),
    ).to.deep.equal(['duration', 'integer', 'list']);
  });
});
