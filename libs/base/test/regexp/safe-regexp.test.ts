import { compileRegExp } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';

describe('compileRegExp', () => {
  // Capture groups as returned by Go 1.26. A group that did not participate is an empty string.
  const matches: [string, string, string[] | null][] = [
    ['', 'abc', ['']],
    ['abc', 'xabcx', ['abc']],
    ['a|ab', 'ab', ['a']],
    ['(a+)(b+)', 'xaabby', ['aabb', 'aa', 'bb']],
    ['(a|ab)(c|bcd)', 'abcd', ['abcd', 'a', 'bcd']],
    ['a*?b', 'aaab', ['aaab']],
    ['(a*)(a*)', 'aaa', ['aaa', 'aaa', '']],
    ['(a*?)(a*)', 'aaa', ['aaa', '', 'aaa']],
    ['^$', '', ['']],
    ['^abc$', 'abc\n', null],
    ['abc$', 'abc\n', null],
    ['abc\\z', 'abc', ['abc']],
    ['\\Aabc', 'abc', ['abc']],
    ['(?m)^b$', 'a\nb\nc', ['b']],
    ['(?m)^b$', 'a\r\nb\r\nc', null],
    ['a.c', 'a\nc', null],
    ['a.c', 'a\rc', ['a\rc']],
    ['a.c', 'a\u2028c', ['a\u2028c']],
    ['(?s)a.c', 'a\nc', ['a\nc']],
    ['a.c', 'a😀c', ['a😀c']],
    ['a..c', 'a😀c', null],
    ['😀b', 'a😀b', ['😀b']],
    ['[😀b]+', 'a😀b', ['😀b']],
    ['[^a]', '😀', ['😀']],
    ['^.{2}$', 'é😀', ['é😀']],
    ['\\s', '\u00a0', null],
    ['\\s', '\u000b', null],
    ['[[:space:]]', '\u000b', ['\u000b']],
    ['\\w+', 'é_a1', ['_a1']],
    ['\\d', '٣', null],
    ['\\D+', 'é1', ['é']],
    ['\\bé', 'é', null],
    ['a\\b', 'aé', ['a']],
    ['(?i)k', '\u212a', ['\u212a']],
    ['(?i)s', '\u017f', ['\u017f']],
    ['(?i)[k]x', '\u212aX', ['\u212aX']],
    ['(?i)straße', 'STRAßE', ['STRAßE']],
    ['(?i)É', 'é', ['é']],
    ['(?i)\\w', '\u212a', ['\u212a']],
    ['(?i)[^s]', '\u017f', null],
    ['(?i)Σ', 'ς', ['ς']],
    ['(?i:a)b', 'Ab', ['Ab']],
    ['(?i:a)b', 'AB', null],
    ['(?i)a(?-i)b', 'AB', null],
    ['(?i)a(?-i)b', 'Ab', ['Ab']],
    ['(?U)a+', 'aaa', ['a']],
    ['(?U)a+?', 'aaa', ['aaa']],
    ['(?i-s:A.)b', 'a\nb', null],
    ['(?P<year>\\d{4})-(?P<month>\\d{2})', 'on 2024-05-06', ['2024-05', '2024', '05']],
    ['(?<a>x)(y)?', 'x', ['x', 'x', '']],
    ['\\Qa.b*\\E+', 'a.b**', ['a.b**']],
    ['\\Qa.b', 'a.b', ['a.b']],
    ['\\x41\\x{1F600}\\101\\n', 'A😀A\n', ['A😀A\n']],
    ['\\a\\f\\t\\v', '\u0007\f\t\u000b', ['\u0007\f\t\u000b']],
    ['[\\x{1F600}-\\x{1F64F}]', '😀', ['😀']],
    ['[]a]', 'x]', [']']],
    ['[^]a]', ']ab', ['b']],
    ['[a\\]]+', 'a]', ['a]']],
    ['[-a]+', 'a-', ['a-']],
    ['[a-]+', 'a-', ['a-']],
    ['[\\d-z]+', '1-z', ['1-z']],
    ['[[:alpha:][:digit:]_]+', 'é a1_', ['a1_']],
    ['[[:^alpha:]]', 'a1', ['1']],
    ['[^\\d\\s]+', ' 1ab', ['ab']],
    ['[^\\x00-\\x{10FFFF}]', 'a', null],
    ['\\pL+', '1éa', ['éa']],
    ['\\p{Greek}', 'aα', ['α']],
    ['\\P{Greek}', 'αa', ['a']],
    ['[\\p{Lu}\\d]+', 'aÉ1', ['É1']],
    ['\\pN', 'a٣', ['٣']],
    ['a{2}', 'aaa', ['aa']],
    ['a{2,}', 'aaaa', ['aaaa']],
    ['a{1,2}', 'aaa', ['aa']],
    ['a{1,2}?', 'aaa', ['a']],
    ['a{,2}', 'a{,2}', ['a{,2}']],
    ['a{2', 'a{2', ['a{2']],
    ['x{0}a', 'xa', ['a']],
    ['(a){0}b', 'ab', ['b', '']],
    ['(ab){2,3}', 'ababab', ['ababab', 'ab']],
    ['(a|b){2}', 'ab', ['ab', 'b']],
    ['(?:[0-9a-f]{2}:){3}[0-9a-f]{2}', 'de:ad:be:ef', ['de:ad:be:ef']],
    ['(|a)*', 'aa', ['', '']],
    ['(|a)+', 'aa', ['', '']],
    ['(a*)*', 'b', ['', '']],
    ['(a*)+', 'aab', ['aa', 'aa']],
    ['(a*)?', 'b', ['', '']],
    ['(?:(a)|b)*', 'ab', ['ab', 'a']],
    ['(?:(a)|b){2}', 'ab', ['ab', 'a']],
    ['(?:(a)|b){1,2}', 'ab', ['ab', 'a']],
    ['^\\r\\n$', '\r\n', ['\r\n']],
    ['[\\r\\t\\a]+', 'x\r\t\u0007', ['\r\t\u0007']],
    ['\\x7f[\\x7e-\\x80]', '\u007f\u0080', ['\u007f\u0080']],
    ['(?:(a)|(b))+', 'ab', ['ab', 'a', 'b']],
    ['((a)|b)+', 'ab', ['ab', 'b', 'a']],
    ['(a(b)?)+', 'aba', ['aba', 'a', 'b']],
    ['([^/]+/)*', 'a/b/c', ['a/b/', 'b/']],
    ['(a|b)*?c', 'abc', ['abc', 'b']],
    ['(a??)(ab)?', 'ab', ['ab', '', 'ab']],
    ['(?:|[^a]*?[^a]^)$', 'b', ['']],
    ['a^', 'a', null],
    ['$a', 'a', null],
    ['(^a)*', 'aa', ['a', 'a']],
    ['\\B', '😀', ['']],
    ['\\B', 'a😀', ['']],
    ['x*', '😀', ['']],
    ['(?:a?){3}a{3}', 'aaa', ['aaa']],
  ];
  for (const [pattern, text, groups] of matches) {
    it(`compileRegExp matches ${JSON.stringify(pattern)} against ${JSON.stringify(text)} in the same way as Go`, () => {
      const expression = compileRegExp(pattern);
      const match = expression.exec(text);
      expect(match && [...match].map((group) => group ?? '')).to.deep.equal(groups);
      expect(expression.test(text)).to.equal(groups !== null);
      expect(expression.groupCount).to.equal(match ? match.length - 1 : expression.groupCount);
    });
  }

  const replacements: [string, string, string, string][] = [
    ['a+', 'baac', '-', 'b-c'],
    ['a*', 'baac', '-', '-b-c-'],
    ['x*', 'abc', '-', '-a-b-c-'],
    ['', 'abc', '-', '-a-b-c-'],
    ['', '😀é', '-', '-😀-é-'],
    ['^', 'abc', '-', '-abc'],
    ['$', 'abc', '-', 'abc-'],
    ['(a)(b)?', 'abac', '<$2$1>', '<ba><a>c'],
    ['(?P<first>\\w+) (?P<second>\\w+)', 'hello world', '${second} $first', 'world hello'],
    ['(a)', 'a', '$1x', ''],
    ['(a)', 'a', '${1}x', 'ax'],
    ['(a)', 'a', '$$1', '$1'],
    ['(a)', 'a', '$', '$'],
    ['(a)', 'a', '$-${', '$-${'],
    ['(a)', 'a', '${1', '${1'],
    ['(a)', 'a', '$0$9$01', 'a'],
    ['(a)', 'a', '${}$é1', '${}'],
    ['/+', '//a///b/', '/', '/a/b/'],
    ['(?i)a', 'xAa', '$0$0', 'xAAaa'],
    ['^a', 'aaa', 'b', 'baa'],
    ['\\b', 'ab cd', '|', '|ab| |cd|'],
    ['a|', 'ab', '-', '-b-'],
    ['(?m)^', 'a\nb', '> ', '> a\n> b'],
    ['(?i)(é)(b)?', 'xÉB', '<$2$1>', 'x<BÉ>'],
  ];
  for (const [pattern, text, replacement, result] of replacements) {
    it(`replaceAll replaces ${JSON.stringify(pattern)} in ${JSON.stringify(text)} with ${JSON.stringify(replacement)} in the same way as Go`, () => {
      expect(compileRegExp(pattern).replaceAll(text, replacement)).to.equal(result);
    });
  }

  it('SafeRegExp.names maps named groups to their numbers', () => {
    const expression = compileRegExp('(?P<a>x)(y)(?<b_2>z)');
    expect(expression.groupCount).to.equal(3);
    expect([...expression.names]).to.have.deep.members([
      ['a', 1],
      ['b_2', 3],
    ]);
  });

  it('replaceAll can be called with different replacement strings in turn', () => {
    const expression = compileRegExp('a(b)?');
    expect(['<$1>', '$0$0', '<$1>'].map((replacement) => expression.replaceAll('ab-a', replacement))).to.deep.equal([
      '<b>-<>',
      'abab-aa',
      '<b>-<>',
    ]);
  });

  const refused: [string, RegExp][] = [
    ['(a)\\1', /invalid escape sequence: `\\1`; RE2 does not support lookaround and backreferences/],
    ['(?P=a)', /regular expression "\(\?P=a\)": /],
    ['a(?=b)', /RE2 does not support lookaround and backreferences/],
    ['(?<!a)b', /RE2 does not support lookaround and backreferences/],
    ['(?>a)', /RE2 does not support lookaround and backreferences/],
    ['a**', /invalid nested repetition operator/],
    ['*a', /missing argument to repetition operator/],
    ['(a', /missing closing \)/],
    ['a)', /regular expression "a\)": /],
    ['[a', /missing closing \]/],
    ['[b-a]', /invalid character class range/],
    ['a{1001}', /invalid repeat count/],
    ['(?:a{500}){3}', /invalid repeat count/],
    ['\\Z', /invalid escape sequence/],
    ['\\', /trailing backslash/],
    ['\\p{Nonsense}', /invalid character class range/],
  ];
  for (const [pattern, message] of refused) {
    it(`compileRegExp rejects ${JSON.stringify(pattern)}`, () => {
      expect(() => compileRegExp(pattern))
        .to.throw(message)
        .with.property('code', 'ERR_VALUE');
    });
  }
});

describe('compileRegExp with V8 and re2js', () => {
  const native = [
    '^/api/v(\\d+)/users/([^/]+)$',
    '^([a-z0-9-]+)\\.(?:eu|us)\\.example\\.com$',
    '(?i)(bot|crawl|spider)',
    '(?i)\\.(?:css|js|jpe?g|png)$',
    '^(?:www\\.)?(.+)$',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}',
    '^(?P<lang>[a-z]{2})(?:-(?P<region>[A-Z]{2}))?/',
    '^\\d{1,3}(\\.\\d{1,3}){3}$',
  ];
  for (const pattern of native) {
    it(`compileRegExp runs ${pattern} with V8`, () => expect(compileRegExp(pattern).isNative).to.equal(true));
  }

  const slow = ['\\pL+', '(?m)^a', '(?i)é', '(|a)*', '(?:(a)|b)*', '[a-z]{1,500}[a-z]{1,500}x', 'a?'.repeat(30), 'a^'];
  for (const pattern of slow) {
    it(`compileRegExp runs ${pattern} with re2js`, () => expect(compileRegExp(pattern).isNative).to.equal(false));
  }

  it('compileRegExp returns the same results with V8 and re2js for any pattern and text', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'k',
      'é',
      '.',
      '\\d',
      '\\W',
      '\\s',
      '[ab]',
      '[^a]',
      '[^b\\n]',
      '[[:alpha:]]',
      '\\b',
      '\\B',
      '^',
      '$',
      '(?i:k)',
      '(?s:.)',
      '\\x61',
      '\\.',
      '\\Qa.\\E',
      '',
      '\\pL',
      '[[:^space:]-]',
      '\\z',
      '(?i:[^s])',
      '{',
    );
    const quantifier = fc.constantFrom(
      '',
      '',
      '',
      '',
      '*',
      '+',
      '?',
      '*?',
      '+?',
      '??',
      '{2}',
      '{1,3}',
      '{0,2}?',
      '{2,}',
    );
    const group = fc.constantFrom('(', '(', '(?:', '(?i:', '(?U:');
    const { pattern } = fc.letrec<{ pattern: string; item: string; nested: string }>((tie) => ({
      nested: fc
        .tuple(group, fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }))
        .map(([open, options]) => `${open}${options.join('|')})`),
      item: fc
        .tuple(
          fc.oneof(
            { maxDepth: 3, depthIdentifier: 'nesting' },
            { arbitrary: atom, weight: 4 },
            { arbitrary: tie('nested'), weight: 2 },
          ),
          quantifier,
        )
        .map(([body, count]) => (/^(?:[\^$]|\\[bBz])?$/.test(body) ? body : body + count)),
      pattern: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
    }));
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'k', 'K', 'é', '1', ' ', '\n', '\r', '.', '-', '😀', '\u212a', '\udc80'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 5 }), (pattern, texts) => {
        const reference = tryCompile(pattern);
        fc.pre(reference !== null);
        const expression = compileRegExp(pattern);
        for (const text of texts) {
          const match = reference.exec(text) as (string | undefined)[] | null;
          const groups = expression.exec(text);
          expect(groups && Array.from(groups, (group) => group ?? '')).to.deep.equal(
            match && Array.from(match, (group) => group ?? ''),
          );
          expect(expression.test(text)).to.equal(match !== null);
        }
      }),
      { numRuns: 500 },
    );
  });

  describe('compileRegExp and linear time', () => {
    const length = 50_000;
    const cases: [string, string][] = [
      ['(a+)+$', `${'a'.repeat(length)}!`],
      ['^(a+)+$', `${'a'.repeat(length)}!`],
      ['(a|a)*b', 'a'.repeat(length)],
      ['(.*)*x', 'a'.repeat(length)],
      ['(?i)(a+)+$', `${'aA'.repeat(length / 2)}!`],
      ['([a-z]+)*[0-9]{2,30}$', 'a'.repeat(length)],
      ['([a-z]+)*[0-9]{2,30}$', `${'a1'.repeat(length / 2)}x`],
      ['(x+x+)+y', 'x'.repeat(length)],
      ['^(\\w+\\s?)*$', `${'aaaa '.repeat(length / 5)}!`],
      ['(?s).*.*.*=.*', 'x'.repeat(length)],
      ['(é+)+$', `${'é'.repeat(length)}!`],
      ['(\\pL+)+$', `${'é'.repeat(length)}!`],
      ['([^/]+)+$', `${'😀'.repeat(length / 2)}/`],
      ['(?:a?){100}a{100}$', 'a'.repeat(99)],
    ];
    for (const [pattern, text] of cases) {
      it(`compileRegExp runs ${pattern} in linear time on ${text.slice(0, 4)}…${text.at(-1)}`, () => {
        const expression = compileRegExp(pattern);
        for (const run of [
          () => expression.test(text),
          () => expression.exec(text),
          () => expression.replaceAll(text, '-'),
        ]) {
          const begin = process.threadCpuUsage();
          run();
          // The match takes 3 to 20 ms on an idle machine. A quadratic algorithm would take seconds.
          expect(process.threadCpuUsage(begin).user / 1000).to.be.below(1000);
        }
      });
    }

    it('compileRegExp supports long texts and many groups with V8', () => {
      const expression = compileRegExp(`${'('.repeat(45)}a|b${')'.repeat(45)}*c`);
      expect(expression.exec('ab'.repeat(100_000))).to.equal(null);
    });
  });
});

function tryCompile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}
