import { formatDuration, formatNanoseconds, isSluiceError, parseDuration, parseNanoseconds } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

const second = 1_000_000_000n;

describe('duration functions', () => {
  const read: [number | string, bigint][] = [
    [0, 0n],
    [5, 5n],
    [-5, -5n],
    [1e9, second],
    ['0', 0n],
    ['-0', 0n],
    ['1h30m', 5400n * second],
    ['1.5s', 1_500_000_000n],
    ['300ms', 300_000_000n],
    ['-2m', -120n * second],
    ['+2m', 120n * second],
    ['.5s', 500_000_000n],
    ['1.s', second],
    ['1us', 1000n],
    ['1µs', 1000n],
    ['1μs', 1000n],
    ['7ns', 7n],
    ['1m1h', 3660n * second],
    ['1d', 86_400n * second],
    ['1.5d', 129_600n * second],
    ['-1d2h', -93_600n * second],
    ['1h1d', 90_000n * second],
    ['0.1ns', 0n],
    ['0.3333333333333333333h', 1200n * second],
    ['0.100000000000000000000h', 360n * second],
    ['9007199254740993ns', 9_007_199_254_740_993n],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
    ['-2562047h47m16.854775808s', -(2n ** 63n)],
  ];
  for (const [value, nanoseconds] of read) {
    it(`parseNanoseconds parses ${JSON.stringify(value)} as ${nanoseconds} ns`, () => {
      expect(parseNanoseconds(value)).to.equal(nanoseconds);
    });
  }

  const refused: [number | string, RegExp][] = [
    [1.5, /must be whole nanoseconds/],
    [Number.NaN, /must be whole nanoseconds/],
    [1e19, /out of range/],
    ['', /is empty/],
    ['-', /is empty/],
    ['5', /a unit is missing/],
    ['1h30', /a unit is missing/],
    ['1..5s', /a unit is missing/],
    ['.s', /expected a number before ".s"/],
    ['d', /expected a number before "d"/],
    ['  1s', /expected a number before " {2}"/],
    ['--1s', /expected a number/],
    ['1s ', /unknown unit "s "; use ns, us, ms, s, m, h or d/],
    ['1 d', /unknown unit " d"/],
    ['1D', /unknown unit "D"/],
    ['1e3s', /unknown unit "e"/],
    ['1w', /unknown unit "w"/],
    ['1_0s', /unknown unit "_"/],
    ['106752d', /out of range/],
    ['2562047h47m16.854775808s', /out of range/],
    [`${'9'.repeat(200)}s`, /too long/],
    [`${'0'.repeat(150)}s`, /too long/],
  ];
  it('parseNanoseconds accepts strings of up to 150 characters', () => {
    expect(parseDuration(`${'0'.repeat(149)}s`)).to.equal(0);
  });

  for (const [value, message] of refused) {
    it(`parseDuration rejects ${JSON.stringify(value)}`.slice(0, 70), () => {
      expect(() => parseDuration(value))
        .to.throw(message)
        .that.satisfies(isSluiceError)
        .and.includes({ code: 'ERR_VALUE', status: 400 });
    });
  }

  const written: [number, string][] = [
    [0, '0s'],
    [1e-6, '1ns'],
    [0.0011, '1.1µs'],
    [0.002, '2µs'],
    [2.2, '2.2ms'],
    [300, '300ms'],
    [999.999999, '999.999999ms'],
    [1000, '1s'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [-60_001, '-1m0.001s'],
    [5_400_000, '1h30m0s'],
    [360_000_000, '100h0m0s'],
  ];
  for (const [milliseconds, text] of written) {
    it(`formatDuration formats ${milliseconds} ms as ${text}`, () =>
      expect(formatDuration(milliseconds)).to.equal(text));
  }

  it('formatDuration uses the largest unit with a non-zero part', () => {
    const written = [999n, 1000n, 999_999n, 1_000_000n, 999_999_999n, 1_000_000_000n].map(formatNanoseconds);
    expect(written).to.deep.equal(['999ns', '1µs', '999.999µs', '1ms', '999.999999ms', '1s']);
  });

  it('parseNanoseconds is the inverse of formatNanoseconds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanoseconds) => {
        expect(parseNanoseconds(formatNanoseconds(nanoseconds))).to.equal(nanoseconds);
      }),
    );
  });

  it('parseDuration preserves nanosecond fractions for durations under 26 days', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 51n), max: 2n ** 51n }), (nanoseconds) => {
        expect(BigInt(Math.round(parseDuration(`${nanoseconds}ns`) * 1e6))).to.equal(nanoseconds);
      }),
    );
  });
});
