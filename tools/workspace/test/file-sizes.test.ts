import { expect } from 'chai';
import { checkSizes } from '../file-sizes.mjs';

/** Returns files with the given numbers of lines. */
function sizes(...lines: number[]): Map<string, number> {
  return new Map(lines.map((each, i) => [`src/${i}.ts`, each]));
}

describe('workspace script: file-sizes', () => {
  it('checkSizes accepts short files, and long files with a reason', () => {
    expect(checkSizes(sizes(10, 50, 300), {})).to.deep.equal([]);
    expect(checkSizes(sizes(10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 301), { 'src/10.ts': 'why' })).to.deep.equal([]);
  });

  it('checkSizes requires that a file with more than 300 lines is split or has a reason', () => {
    expect(checkSizes(sizes(1, 2, 301), {})).to.deep.equal([
      'src/2.ts has 301 lines: split it by responsibility, or add a reason to file-sizes.mjs',
    ]);
  });

  it('checkSizes rejects a reason for a short or missing file', () => {
    const short = sizes(...Array<number>(9).fill(10), 300);
    expect(checkSizes(short, { 'src/9.ts': 'why', 'src/gone.ts': 'why' })).to.deep.equal([
      'src/9.ts no longer needs a reason in file-sizes.mjs',
      'src/gone.ts no longer needs a reason in file-sizes.mjs',
    ]);
  });

  it('checkSizes allows reasons for at most 24 files', () => {
    const long = sizes(...Array<number>(300).fill(10), ...Array<number>(25).fill(301));
    const reasons = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/${300 + i}.ts`, 'why']));
    expect(checkSizes(long, reasons(24))).to.have.lengthOf(1);
    expect(checkSizes(long, reasons(25))).to.deep.equal(['more than 24 files have a reason for their length']);
  });

  it('checkSizes requires a median of at most 60 lines and a 90th percentile of at most 160 lines', () => {
    expect(checkSizes(sizes(61), {}).join()).to.contain('half of the files should have at most 60 lines; it is 61');
    expect(checkSizes(sizes(...Array<number>(17).fill(10), 161, 161, 161), {})).to.deep.equal([
      'nine of ten of the files should have at most 160 lines; it is 161',
    ]);
  });
});
