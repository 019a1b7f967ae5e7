import { expect } from 'chai';
import { anchorsOf, brokenLinks, linksOf } from '../../generators/links.mjs';

describe('nx plugin: links', () => {
  it('brokenLinks finds broken links', () => {
    const documents = new Map([
      ['a.md', '# A\n\n[b](docs/b.md#two-words) [c](docs/c.md) [d](docs/b.md#gone) [e](#a) [f](#b) ![g](docs/g.svg)\n'],
      ['docs/b.md', '## Two `words`\n\n[a](../a.md) <https://example.com>\n\n[x]: gone.md\n'],
    ]);
    expect(brokenLinks(documents, '/nowhere')).to.deep.equal([
      'a.md: there is no docs/c.md',
      'a.md: docs/b.md has no heading gone',
      'a.md: a.md has no heading b',
      'a.md: there is no docs/g.svg',
      'docs/b.md: there is no gone.md',
    ]);
  });

  it('linksOf ignores links in code', () => {
    expect(linksOf('`[a](b)` and\n\n```md\n[c](d)\n```\n\n[e](f "title")')).to.deep.equal(['f']);
  });

  it('anchorsOf returns the same heading anchors as GitHub', () => {
    const text = '# One: two\n\n## `a.b_c` [link](x)\n\n## Same\n\n## Same\n\n```sh\n# no heading\n```\n';
    expect([...anchorsOf(text)]).to.deep.equal(['one-two', 'ab_c-link', 'same', 'same-1']);
  });
});
