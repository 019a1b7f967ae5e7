import { expect } from 'chai';
import { missingPaths, wordsWithoutPlace } from '../docs.mjs';

describe('nx plugin: docs', () => {
  it('missingPaths finds missing paths', () => {
    expect(missingPaths('See `libs/base/src/{errors,gone}.ts`, `libs/gone` and `apps/server/src`.')).to.deep.equal([
      'libs/base/src/gone.ts',
      'libs/gone',
    ]);
  });

  it('wordsWithoutPlace finds glossary terms without a source path', () => {
    const rows = ['| Word | Meaning | Where |', '| - | - | - |', '| drain | … | `libs/x` |', '| retry | … | |'];
    expect(wordsWithoutPlace(`# A\n\n## Terms\n\n${rows.join('\n')}\n\n## More\n\n| a |\n`)).to.deep.equal(['retry']);
  });

  it('missingPaths ignores paths with placeholders', () => {
    expect(missingPaths('A module: `libs/modules/a.b/src/c`; `ctx.app`; libs/gone')).to.deep.equal([]);
  });
});
