import { expect } from 'chai';
import { missingPaths, wordsWithoutPlace } from '../docs.mjs';

describe('tools/nx-plugin/docs', () => {
  it('finds paths that are named and are not there', () => {
    expect(missingPaths('See `libs/base/src/{errors,gone}.ts`, `libs/gone` and `apps/server/src`.')).to.deep.equal([
      'libs/base/src/gone.ts',
      'libs/gone',
    ]);
  });

  it('finds words of the glossary without a place', () => {
    const rows = ['| Word | Meaning | Where |', '| - | - | - |', '| drain | … | `libs/x` |', '| retry | … | |'];
    expect(wordsWithoutPlace(`# A\n\n## Terms\n\n${rows.join('\n')}\n\n## More\n\n| a |\n`)).to.deep.equal(['retry']);
  });

  it('takes no notice of names that stand for others', () => {
    expect(missingPaths('A module: `libs/modules/a.b/src/c`; `ctx.app`; libs/gone')).to.deep.equal([]);
  });
});
