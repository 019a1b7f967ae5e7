import { expect } from 'chai';
import { dateLine, dateValue } from '../src/date.ts';

describe('http1 date', () => {
  it('dateLine is formatted once per second and follows the system clock', () => {
    const now = performance.now() + 1e9;
    const first = dateLine(now);
    expect(first).to.match(/^Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n$/);
    expect(dateLine(now)).to.equal(first);
    const real = dateLine(performance.now());
    expect(Math.abs(Date.parse(real.slice(6)) - Date.now())).to.be.lessThan(2000);
  });

  it('dateLine is updated once per second', () => {
    const { now } = Date;
    const moment = performance.now() + 2e9;
    try {
      Date.now = () => Date.UTC(2026, 0, 2, 3, 4, 5, 250);
      const first = dateValue(moment);
      expect(first).to.equal('Fri, 02 Jan 2026 03:04:05 GMT');
      Date.now = () => Date.UTC(2026, 0, 2, 3, 4, 6);
      expect(dateValue(moment + 749)).to.equal(first);
      expect(dateValue(moment + 750)).to.equal('Fri, 02 Jan 2026 03:04:06 GMT');
    } finally {
      Date.now = now;
    }
  });
});
