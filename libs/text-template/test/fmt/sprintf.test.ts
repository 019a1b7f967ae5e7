import { expect } from 'chai';
import fc from 'fast-check';
import { float64, goType, printValue, sprint, sprintf, sprintln } from '../../src/index.ts';
import { formatFloat } from '../../src/fmt/float.ts';
import { quote } from '../../src/fmt/quote.ts';

class Point {
  readonly [goType] = '*geo.Point';
  readonly X = 1;
  readonly Name = 'p';
  readonly hidden = 2;
}
class Color {
  String(): string {
    return 'red';
  }
}

describe('printf', () => {
  const cases: [string, unknown[], string][] = [
    ['%d|%5d|%-5d|%05d|%+d|% d', [1, 2, 3, 4, 5, 6], '1|    2|3    |00004|+5| 6'],
    [
      '%x %X %#x %o %#o %O %b %c %q %U %#U',
      [255, 255, 255, 8, 8, 8, 5, 65, 65, 65, 0x1f600],
      "ff FF 0xff 10 010 0o10 101 A 'A' U+0041 U+1F600 '😀'",
    ],
    ['%d', [2n ** 62n], '4611686018427387904'],
    [
      '%v %v %v %g %e %.3f',
      [float64(1), 1e6 + 0.5, 1e21, 0.00001, 123.456, 2.5],
      '1 1.0000005e+06 1e+21 1e-05 1.234560e+02 2.500',
    ],
    ['%.0f %.0f %.0f %.2f', [0.5, 1.5, 2.5, 1.005], '0 2 2 1.00'],
    [
      '%s|%10s|%-10s|%.2s|%q|%x|% X',
      ['héy', 'héy', 'héy', 'héy', 'a"b', 'hi', 'hi'],
      'héy|       héy|héy       |hé|"a\\"b"|6869|68 69',
    ],
    ['%t %v', [true, false], 'true false'],
    ['%v %+v %#v', [new Point(), new Point(), new Point()], '&{1 p} &{X:1 Name:p} &geo.Point{X:1, Name:"p"}'],
    ['%v %s %d', [new Color(), new Color(), new Color()], 'red red {}'],
    ['%v %s %x', [Uint8Array.of(104, 105), Uint8Array.of(104, 105), Uint8Array.of(104, 105)], '[104 105] hi 6869'],
    [
      '%v %v',
      [
        [1, 'a', null, [2]],
        new Map([
          ['b', 1],
          ['a', null],
        ]),
      ],
      '[1 a <nil> [2]] map[a:<nil> b:1]',
    ],
    ['%#v', [['a', null]], '[]interface {}{"a", interface {}(nil)}'],
    ['%T %T %T', [1, 'a', null], 'int string <nil>'],
    ['%d %s', [1], '1 %!s(MISSING)'],
    ['%d', ['x'], '%!d(string=x)'],
    ['%d', [1, 2, 'x'], '1%!(EXTRA int=2, string=x)'],
    ['%[2]d %[1]d|%[3]*.[2]*[1]f', [12, 2, 6], '2 12|%!f(int=    12)'],
    ['%*d|%.*f|%*d', [5, 1, 1, 2.55, 'x', 1], '    1|2.5|%!(BADWIDTH)1'],
    ['100%% %', [], '100% %!(NOVERB)'],
    ['%6.2f%%|%x', [12.3456, -1], ' 12.35%|-1'],
  ];
  for (const [format, args, expected] of cases) {
    it(`the printf function formats ${format}`, () => expect(sprintf(format, args)).to.equal(expected));
  }

  it('the printf function limits width and precision', () => {
    expect(sprintf('%99999999d', [1])).to.have.length.below(100);
    expect(sprintf('%*d', [99_999_999, 1])).to.equal('%!(BADWIDTH)1');
  });

  it('the print and println functions separate values as in Go', () => {
    expect(sprint([1, 2, 'a', 'b', 3, null, true])).to.equal('1 2a b3 <nil> true'.replace('a b', 'ab'));
    expect(sprintln(['a', 1])).to.equal('a 1\n');
    expect(printValue(undefined)).to.equal('<nil>');
  });

  it('the printf function writes floats that parse to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const format of ['e', 'f', 'g'] as const) expect(Number(formatFloat(value, format, -1))).to.equal(value);
      }),
    );
  });

  it('the printf function rounds halves to even', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 30 }), fc.integer({ min: 0, max: 3 }), (units, places) => {
        // An odd multiple of 2^-(places + 1) has exactly places + 1 decimal digits, of which the last is 5. It is therefore exactly halfway
        // between two decimals with `places` digits.
        const value = (2 * units + 1) / 2 ** (places + 1);
        const text = formatFloat(value, 'f', places);
        const scaled = BigInt(2 * units + 1) * 5n ** BigInt(places + 1);
        const unit = 10n;
        const floor = scaled / unit;
        const rest = scaled % unit;
        const rounded = rest > 5n || (rest === 5n && floor % 2n === 1n) ? floor + 1n : floor;
        expect(BigInt(text.replace('.', ''))).to.equal(rounded);
      }),
    );
  });

  it('the printf function quotes printable text as JSON does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const quoted = quote(text);
        fc.pre(!/\\[xaUv]/.test(quoted));
        expect(JSON.parse(quoted)).to.equal(text);
      }),
    );
  });
});
