import { expect } from 'chai';
import { dateLine } from '../src/date.ts';

describe('http1 date', () => {
  it('is made once a second, and follows the clock', () => {
    const now = performance.now() + 1e9;
    const first = dateLine(now);
    expect(first).to.match(/^Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n$/);
    expect(dateLine(now)).to.equal(first);
    const real = dateLine(performance.now());
    expect(Math.abs(Date.parse(real.slice(6)) - Date.now())).to.be.lessThan(2000);
  });
});
