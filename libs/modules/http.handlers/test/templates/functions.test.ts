/** Compares the results of template functions with recorded results from Caddy. */
import { expect } from 'chai';
import { show, through } from '../support.ts';

const output = async (text: string): Promise<string> => (await through([{ handler: 'templates' }, show(text)])).text;

const call = (name: string, text: string): Promise<string> => output(`{{${name} ${JSON.stringify(text)}}}`);

describe('template functions', () => {
  const tags: readonly [text: string, plain: string][] = [
    ['<p>a <b>b</b></p>', 'a b'],
    ['<<b>x</b>', ''],
    ['a > b', 'a > b'],
    ['<a <b> c> d', ' d'],
    ['x <', 'x '],
    ['a<b', 'a'],
    ['<<<', ''],
    ['1 < 2 < 3 > 4 > 5', '1  5'],
    ['<!-- c > d --> e', ' d --> e'],
    ["a <b c='>'> d", 'a  d'],
    ['<b a=">">q</b>r', 'qr'],
    ['<b "<">c', 'c'],
    ['"<b>"c', '""c'],
    ["it's <b>c", "it's c"],
    ['<<>>z', 'z'],
    ['<b ">c', ''],
  ];
  for (const [text, plain] of tags) {
    it(`stripHTML converts ${text} to ${JSON.stringify(plain)}`, async () => {
      expect(await call('stripHTML', text)).to.equal(plain);
    });
  }

  const sizes: readonly [bytes: string, words: string][] = [
    ['0', '0 B'],
    ['9', '9 B'],
    ['999', '999 B'],
    ['1000', '1.0 kB'],
    ['99999', '100 kB'],
    ['2048000', '2.0 MB'],
    ['82854982', '83 MB'],
  ];
  for (const [bytes, words] of sizes) {
    it(`humanize formats ${bytes} bytes as ${words}`, async () => {
      expect(await call('humanize "size"', bytes)).to.equal(words);
    });
  }

  const day = 24 * 60 * 60 * 1000;
  const times: readonly [days: number, words: string][] = [
    [-1.5, '1 day ago'],
    [-20.5, '2 weeks ago'],
    [-160, '5 months ago'],
    [-385, '1 year ago'],
    [-700, '2 years ago'],
    [-20_000, 'a long while ago'],
    [1460.5, '4 years from now'],
  ];
  for (const [days, words] of times) {
    it(`humanize formats a time ${days} days from now as ${words}`, async () => {
      const date = `${new Date(Date.now() + days * day).toISOString().slice(0, 19)}Z`;
      expect(await call('humanize "time:2006-01-02T15:04:05Z07:00"', date)).to.equal(words);
    });
  }

  it('pathEscape escapes all characters that a segment must not contain', async () => {
    expect(await call('pathEscape', "a b/c?d&e=f:@$+,;%~!*'()[]#")).to.equal(
      'a%20b%2Fc%3Fd&e=f:@$+%2C%3B%25~%21%2A%27%28%29%5B%5D%23',
    );
  });

  const metas: readonly [text: string, printed: string][] = [
    [
      '---\na: 010\nb: yes\nc: 1.0\nd: 0x1F\ne: ~\nh: 1e3\ni: .inf\n1: one\n---\nx',
      'map[1:one a:8 b:yes c:1 d:31 e:<nil> h:1000 i:+Inf]',
    ],
    [
      '---\nf: 2020-01-02T03:04:05Z\ng: 2020-01-02T03:04:05+02:00\n---\nx',
      'map[f:2020-01-02 03:04:05 +0000 UTC g:2020-01-02 03:04:05 +0200 +0200]',
    ],
    [
      '+++\na = 1\nb = 1.0\nd = 2020-01-02T03:04:05Z\ne = [1, 2]\n[f]\nx = 1\n+++\nx',
      'map[a:1 b:1 d:2020-01-02 03:04:05 +0000 UTC e:[1 2] f:map[x:1]]',
    ],
    [
      '{\n"a": 1, "b": 1.5, "c": {"d": [1]}, "z": null, "big": 1e21\n}\nx',
      'map[a:1 b:1.5 big:1e+21 c:map[d:[1]] z:<nil>]',
    ],
    ['no front matter', 'map[]'],
  ];
  for (const [text, printed] of metas) {
    it(`splitFrontMatter parses ${printed}`, async () => {
      expect(await output(`{{(splitFrontMatter ${JSON.stringify(text)}).Meta}}`)).to.equal(printed);
    });
  }

  it('splitFrontMatter executes no code in the metadata', async () => {
    expect(await call('splitFrontMatter', '---js\nprocess.exit(1)\n---\nx')).to.equal(
      '{map[] ---js\nprocess.exit(1)\n---\nx}',
    );
  });

  const pages: readonly [text: string, html: string][] = [
    [
      '# a\n## a\n# a-1\n# \n# !!\n# A  B_c.d',
      '<h1 id="a">a</h1>\n<h2 id="a-1">a</h2>\n<h1 id="a-1-1">a-1</h1>\n<h1 id="heading"></h1>\n<h1 id="heading-1">!!</h1>\n<h1 id="a--b-cd">A  B_c.d</h1>\n',
    ],
    ['~a~ ~~~b~~~ ~~c~~', '<p><del>a</del> ~~~b~~~ <del>c</del></p>\n'],
    [
      'http://a.b/c?d=e&f. (http://x.y) foo@bar.com ftp://x.y mailto:a@b.c www.x',
      '<p><a href="http://a.b/c?d=e&amp;f">http://a.b/c?d=e&amp;f</a>. (<a href="http://x.y">http://x.y</a>) <a href="mailto:foo@bar.com">foo@bar.com</a> <a href="ftp://x.y">ftp://x.y</a> mailto:a@b.c www.x</p>\n',
    ],
    [
      '- [X] a\n- [ ]b\n- [x]\n- x [ ] y',
      '<ul>\n<li><input checked="" disabled="" type="checkbox"> a</li>\n<li><input disabled="" type="checkbox"> b</li>\n<li><input checked="" disabled="" type="checkbox"> </li>\n<li>x [ ] y</li>\n</ul>\n',
    ],
    [
      '```go {hl_lines=[1]}\nx\n```',
      '<pre class="chroma"><code><span class="line hl"><span class="cl"><span class="nx">x</span><span class="w">\n</span></span></span></code></pre>',
    ],
    [
      '```diff\n+a\n-b\n```',
      '<pre class="chroma"><code><span class="line"><span class="cl"><span class="gi">+a\n</span></span></span><span class="line"><span class="cl"><span class="gd">-b\n</span></span></span></code></pre>',
    ],
    [
      '[a](<b c>) ![x](y) <a@b.c> [js](javascript:x)',
      '<p><a href="b%20c">a</a> <img src="y" alt="x"> <a href="mailto:a@b.c">a@b.c</a> <a href="javascript:x">js</a></p>\n',
    ],
  ];
  for (const [text, html] of pages) {
    it(`markdown renders ${JSON.stringify(text)} as Caddy does`, async () => {
      expect(await call('markdown', text)).to.equal(html);
    });
  }

  it('markdown renders a footnote with all of its backlinks', async () => {
    const html = await call('markdown', '[^1] [^1]\n\n[^1]: one');
    expect(html).to.include('<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup>');
    expect(html).to.include('<sup id="fnref1:1">');
    expect(html).to.include(
      '<p>one&#160;<a href="#fnref:1" class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a>&#160;<a href="#fnref1:1" class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a></p>',
    );
  });
});
