import { expect } from 'chai';
import fc from 'fast-check';
import { formatHttpDate, resolveGlobal } from '@sluice/base';
import { formatCommonLog, zoned as zonedText } from '../../src/placeholders/time.ts';

describe('time format functions', () => {
  const zone = process.env['TZ'];
  const RealDate = Date;
  afterEach(() => {
    globalThis.Date = RealDate;
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  function setClock(time: string): void {
    globalThis.Date = class extends RealDate {
      constructor(...given: [number?]) {
        super(given[0] ?? RealDate.parse(time));
      }

      static override now(): number {
        return RealDate.parse(time);
      }
    } as DateConstructor;
  }

  it('formatHttpDate uses GMT', () => {
    process.env['TZ'] = 'America/New_York';
    expect(formatHttpDate(784_111_777_000)).to.equal('Sun, 06 Nov 1994 08:49:37 GMT');
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(formatHttpDate(date.getTime())).to.equal(date.toUTCString());
      }),
    );
  });

  const logs: [zone: string, time: string, text: string][] = [
    ['UTC', '2006-01-02T15:04:05Z', '02/Jan/2006:15:04:05 +0000'],
    ['America/New_York', '2006-12-31T15:04:05Z', '31/Dec/2006:10:04:05 -0500'],
    ['Asia/Kolkata', '2006-10-09T23:59:59Z', '10/Oct/2006:05:29:59 +0530'],
    ['America/St_Johns', '2006-01-02T10:10:10Z', '02/Jan/2006:06:40:10 -0330'],
  ];
  for (const [name, time, text] of logs) {
    it(`formatCommonLog formats a time as ${text} in ${name}`, () => {
      process.env['TZ'] = name;
      expect(formatCommonLog(new Date(time))).to.equal(text);
    });
  }

  const zoned: [zone: string, time: string, text: string][] = [
    ['UTC', '2006-01-02T15:04:05.999Z', '2006-01-02 15:04:05.999 +0000 UTC'],
    ['UTC', '2006-01-02T15:04:05.000Z', '2006-01-02 15:04:05 +0000 UTC'],
    ['UTC', '2006-01-02T15:04:05.070Z', '2006-01-02 15:04:05.07 +0000 UTC'],
    ['UTC', '2006-01-02T15:04:05.001Z', '2006-01-02 15:04:05.001 +0000 UTC'],
    ['Asia/Kolkata', '2006-12-31T23:59:59.500Z', '2007-01-01 05:29:59.5 +0530 +0530'],
    ['America/New_York', '2006-07-02T01:04:05.999Z', '2006-07-01 21:04:05.999 -0400 -0400'],
  ];
  for (const [name, time, text] of zoned) {
    it(`zoned() formats a time as ${text} in ${name}`, () => {
      process.env['TZ'] = name;
      setClock(time);
      expect(zonedText(Date.now())).to.equal(text);
      expect(resolveGlobal('time.now')?.(null)).to.equal(text);
    });
  }
});
