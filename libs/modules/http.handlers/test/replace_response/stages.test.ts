import { expect } from 'chai';
import { compileRegExp, decodeBytes } from '@sluice/base';
import { RegExpStage, StringStage, type Stage } from '../../src/replace_response/stages.ts';
import { TextPieces } from '../../src/replace_response/text-pieces.ts';

/** Returns a seeded pseudorandom number generator for numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Splits data at random positions. Parts may be empty. */
function split<T extends string | Buffer>(whole: T, random: () => number): T[] {
  const pieces: T[] = [];
  for (let at = 0; at < whole.length;) {
    const end = Math.min(whole.length, at + Math.floor(random() * random() * 40));
    pieces.push((typeof whole === 'string' ? whole.slice(at, end) : whole.subarray(at, end)) as T);
    at = end;
  }
  return pieces;
}

const run = (stage: Stage, pieces: readonly string[]): string =>
  pieces.map((piece) => stage.push(piece)).join('') + stage.release(true);

describe('StringStage', () => {
  it('StringStage makes the same replacements as String.replaceAll for any chunk boundaries', () => {
    const random = randomNumbers(7);
    for (let i = 0; i < 2000; i++) {
      const text = Array.from({ length: 60 }, () => 'aab'[Math.floor(random() * 3)]).join('');
      const search = ['a', 'ab', 'aa', 'aab', 'aabaa', 'abab', 'baab'][i % 7] as string;
      expect(run(new StringStage(search, '<$&>'), split(text, random)), `${search} in ${text}`).to.equal(
        text.replaceAll(search, () => '<$&>'),
      );
    }
  });

  it('StringStage buffers only a possible prefix of a match', () => {
    const stage = new StringStage('needle', 'x');
    expect(stage.push('hay nee')).to.equal('hay ');
    expect(stage.push('t need')).to.equal('neet ');
    expect(stage.push('le')).to.equal('x');
  });
});

describe('RegExpStage', () => {
  it('RegExpStage makes the same replacements in chunks as in the whole text, for any chunk boundaries', () => {
    const random = randomNumbers(11);
    const patterns = ['a+b', '^a', 'b$', '\\ba', 'a*', '(a)(b)?', '(?m)^b', 'b\\b', '.\\n', '(?i)AB', 'é', '[^a]+'];
    for (let i = 0; i < 2400; i++) {
      const text = Array.from({ length: 120 }, () => 'aab \nbé😀'[Math.floor(random() * 8)] ?? '').join('');
      const pattern = compileRegExp(patterns[i % patterns.length] as string);
      const stage = new RegExpStage(pattern, '[$1]', 40);
      // Matches have at most 40 characters, except matches of [^a]+ and a*.
      const expected = pattern.replaceAll(text, '[$1]');
      const longest = Math.max(0, ...(text.match(/[^a]+|a+/g) ?? []).map(({ length }) => length));
      if (longest <= 40) expect(run(stage, split(text, random)), `${pattern.source} in ${text}`).to.equal(expected);
    }
  });

  it('RegExpStage buffers no more than the maximum match length', () => {
    const stage = new RegExpStage(compileRegExp('x+'), '-', 100);
    let length = 0;
    for (let i = 0; i < 1000; i++) length += stage.push('a'.repeat(37)).length;
    expect(length).to.be.within(37_000 - 101, 37_000);
  });

  it('RegExpStage finds matches in texts longer than the native engine supports', () => {
    const text = `${'.'.repeat(100_000)}needle${'.'.repeat(100_000)}`;
    const stage = new RegExpStage(compileRegExp('ne+dle'), 'x', 32 * 1024);
    expect(run(stage, [text])).to.equal(text.replace('needle', 'x'));
  });
});

describe('TextPieces', () => {
  it('TextPieces decodes chunks exactly as decodeBytes decodes the whole text, even if the text is invalid', () => {
    const random = randomNumbers(13);
    for (let i = 0; i < 500; i++) {
      const bytes = Buffer.concat(
        Array.from({ length: 30 }, () =>
          random() < 0.2
            ? Buffer.from([Math.floor(random() * 256)])
            : Buffer.from('aé€😀'[Math.floor(random() * 5)] ?? ''),
        ),
      );
      const pieces = new TextPieces();
      const text = split(bytes, random)
        .map((piece) => pieces.push(piece))
        .join('');
      expect(Buffer.from(text + pieces.end(), 'utf16le').equals(Buffer.from(decodeBytes(bytes), 'utf16le'))).to.equal(
        true,
      );
    }
  });
});
