import { expect } from 'chai';
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkPackages } from '../../src/against/checkout.ts';
import { comparisonOf, described } from '../../src/against/compare.ts';
import type { Measurements } from '../../src/measure.ts';

const once = (rate: number, cost: number): Measurements => ({
  rates: [rate],
  costs: [cost],
  instructions: [1000 * cost],
  latencies: [],
});

describe('benchmark tool: comparison of two commits', () => {
  // Between pairs of measurements, the machine speed varies much more than the speeds of the two commits.
  const pace = [1, 0.4, 0.9, 0.5, 1, 0.7, 0.3, 0.8];

  it('comparisonOf finds a difference that is smaller than the noise of the machine', () => {
    const ours = pace.map((share, i) => once(1000 * share, (10 + (i % 3) / 50) / share));
    const theirs = pace.map((share) => once(1030 * share, 9.7 / share));
    expect(comparisonOf('plain', ours, theirs).verdict).to.equal('slower');
    expect(comparisonOf('plain', theirs, ours).verdict).to.equal('faster');
  });

  it('comparisonOf finds no difference between a commit and itself', () => {
    const ours = pace.map((share, i) => once(1000 * share, (10 + (i % 4) / 10) / share));
    const comparison = comparisonOf('plain', ours, ours.toReversed().toReversed());
    expect(comparison.verdict).to.equal('no difference found');
    expect(described(comparison)).to.equal(
      'plain: no difference found; by CPU time 1.000 (1.000 to 1.000), by requests per second 1.000 (1.000 to 1.000), by instructions 1.000 (1.000 to 1.000)',
    );
  });
});

describe('benchmark tool: packages of a checkout', () => {
  it('linkPackages links installed packages, but not packages of this workspace', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-checkout-'));
    const [from, root] = [join(folder, 'from'), join(folder, 'to')];
    try {
      mkdirSync(join(from, 'node_modules/library'), { recursive: true });
      mkdirSync(join(from, 'node_modules/@sluice'));
      symlinkSync('../../libs/base', join(from, 'node_modules/@sluice/base'));
      for (const each of [from, root]) mkdirSync(join(each, 'libs/base'), { recursive: true });
      writeFileSync(join(root, 'libs/base/own'), '');
      linkPackages(root, from);
      expect(readlinkSync(join(root, 'node_modules/library'))).to.equal(join(from, 'node_modules/library'));
      expect(existsSync(join(root, 'node_modules/@sluice/base/own'))).to.equal(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
