import { expect } from 'chai';
import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { civilFromDays, daysFromCivil } from '../../src/time/civil.ts';
import { formatDuration, parseDuration } from '../../src/time/duration.ts';
import { Instant } from '../../src/time/instant.ts';
import { formatLayout } from '../../src/time/layout.ts';
import { parseLayout } from '../../src/time/parse-layout.ts';
import { readZoneFile } from '../../src/time/zone-file.ts';
import { loadZone } from '../../src/time/zone.ts';

describe('time functions for templates', () => {
  it('daysFromCivil agrees with the Date object of JavaScript', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (days) => {
        const date = new Date(days * 86_400_000);
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(civilFromDays(days)).to.deep.equal(civil);
        expect(daysFromCivil(civil.year, civil.month, civil.day)).to.equal(days);
      }),
    );
  });

  it('Instant.fromCivil normalizes values that are out of range', () => {
    expect(daysFromCivil(2020, 14, 1)).to.equal(daysFromCivil(2021, 2, 1));
    expect(daysFromCivil(2020, 0, 31)).to.equal(daysFromCivil(2019, 12, 31));
    expect(daysFromCivil(2021, 2, 29)).to.equal(daysFromCivil(2021, 3, 1));
  });

  it('parseLayout reverses formatLayout', () => {
    const seconds = fc.integer({ min: -60_000_000_000, max: 200_000_000_000 });
    const layouts = [
      '2006-01-02T15:04:05.999999999Z07:00',
      'Mon, 02 Jan 2006 15:04:05.000000000 -0700',
      '2006-002 03:04:05.999999999PM Z0700',
    ];
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.constantFrom(...layouts),
        (at, nanos, layout) => {
          const written = formatLayout(new Instant(at, nanos, loadZone('UTC')), layout);
          expect(parseLayout(layout, written).unixNanos).to.equal(BigInt(at) * 1_000_000_000n + BigInt(nanos));
        },
      ),
    );
  });

  const durations: [string, string][] = [
    ['0', '0s'],
    ['1ns', '1ns'],
    ['1500us', '1.5ms'],
    ['90m', '1h30m0s'],
    ['-1.5h', '-1h30m0s'],
    ['1h1m1.001s', '1h1m1.001s'],
    ['.5s', '500ms'],
  ];
  for (const [text, shown] of durations) {
    it(`parseDuration parses ${text}`, () => expect(parseDuration(text).String()).to.equal(shown));
  }

  it('parseDuration reverses formatDuration', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanoseconds) => {
        expect(parseDuration(formatDuration(nanoseconds)).nanoseconds).to.equal(nanoseconds);
      }),
    );
  });

  it('parseDuration rejects invalid durations', () => {
    expect(() => parseDuration('')).to.throw('invalid duration');
    expect(() => parseDuration('5')).to.throw('missing unit');
    expect(() => parseDuration('5q')).to.throw('unknown unit "q"');
    expect(() => parseDuration('9999999999h')).to.throw('invalid duration');
  });

  describe('template time zones', () => {
    it('loadZone agrees with the time zone offsets of the JavaScript engine', () => {
      for (const [name, at, offset] of [
        ['Europe/Berlin', 1_688_875_506, 7200],
        ['America/New_York', 1_700_000_000, -18_000],
        ['Asia/Kolkata', 0, 19_800],
        ['Australia/Lord_Howe', 1_688_875_506, 37_800],
        ['Europe/Berlin', 2_540_000_000, 7200],
      ] as const) {
        expect(loadZone(name).at(at).offset, name).to.equal(offset);
      }
    });

    it('loadZone rejects invalid names and paths', () => {
      for (const name of ['Nope/Zone', '../etc/passwd', '/etc/passwd', 'Europe/../UTC', 'a b', 'Europe/Berlin\0']) {
        expect(() => loadZone(name), name).to.throw('unknown time zone');
      }
    });

    it('Instant.fromCivil handles daylight saving time changes', () => {
      const zone = loadZone('Europe/Berlin');
      const noon = Instant.fromCivil({ year: 2023, month: 3, day: 26 }, 12 * 3600, 0, zone);
      expect(noon.seconds).to.equal(Date.UTC(2023, 2, 26, 10) / 1000);
      expect(noon.AddDate(0, 0, -1).seconds).to.equal(Date.UTC(2023, 2, 25, 11) / 1000);
    });

    it('readZoneFile rejects files that are not zone files', function () {
      expect(() => readZoneFile(Buffer.alloc(100), 'x')).to.throw('not a time zone file');
      const path = '/usr/share/zoneinfo/Europe/Berlin';
      if (!existsSync(path)) this.skip();
      const file = readFileSync(path);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: file.length - 1 }), (length) => {
          try {
            readZoneFile(file.subarray(0, length), 'x').at(0);
          } catch (error) {
            expect(error).to.be.instanceOf(Error);
          }
        }),
      );
    });
  });
});
