import { expect } from 'chai';
import { NoiseBook } from '../../src/shadow/noise-book.ts';
import type { Difference } from '../../src/behavior/types.ts';

describe('NoiseBook', () => {
  const difference: Difference = { aspect: 'status', name: '', before: 200, after: 500 };
  const suspect = { kind: 'k', parts: new Map([['status', difference]]), steady: true };
  const example = { method: 'GET', url: 'http://x.test/' };

  function bookWith(own: number, between: number): NoiseBook {
    const book = new NoiseBook();
    for (let i = 0; i < own; i++) book.varied('k', 'status', example);
    for (let i = 0; i < between; i++) book.differed('k', 'status');
    return book;
  }

  it('NoiseBook reports even a single difference in a part of the response that never varies', () => {
    expect(bookWith(0, 1).unexplained(suspect)).to.deep.equal([difference]);
  });

  it('NoiseBook ignores a few differences in a part of the response that varies', () => {
    expect(bookWith(1, 5).unexplained(suspect)).to.deep.equal([]);
  });

  it('NoiseBook reports differences that are far more frequent than the normal variation', () => {
    expect(bookWith(1, 6).unexplained(suspect)).to.deep.equal([difference]);
  });

  it('NoiseBook does not apply the variation of one kind of request to another kind', () => {
    const book = bookWith(3, 0);
    book.differed('other', 'status');
    expect(book.unexplained({ ...suspect, kind: 'other' })).to.deep.equal([difference]);
  });

  it('NoiseBook lists each varying part only once, most frequent first', () => {
    const book = bookWith(2, 0);
    book.varied('other', 'status', example);
    book.varied('k', 'body', example);
    expect(book.report()).to.deep.equal([
      { part: 'status', count: 3, example },
      { part: 'body', count: 1, example },
    ]);
  });
});
