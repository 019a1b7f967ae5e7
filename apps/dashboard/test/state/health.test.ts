import { expect } from 'chai';
import { certificateHealth } from '../../src/page/state/health.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-01T00:00:00Z');

function health(before: number, left: number, error: string | null = null): string {
  const at = (time: number): string => new Date(now + time).toISOString();
  return certificateHealth({ managed: true, not_before: at(-before), not_after: at(left), last_error: error }, now);
}

describe('the health of a certificate', () => {
  it('is worth a look in its last week, and in the last quarter of a shorter time', () => {
    expect(health(60 * 24 * hour, 8 * 24 * hour)).to.equal('ok');
    expect(health(60 * 24 * hour, 6 * 24 * hour)).to.equal('warn');
    expect(health(hour, 11 * hour)).to.equal('ok');
    expect(health(8 * hour, 4 * hour)).to.equal('ok');
    expect(health(9.5 * hour, 2.5 * hour)).to.equal('warn');
  });

  it('is bad when it has ended and could not be renewed', () => {
    expect(health(12 * hour, -hour)).to.equal('warn');
    expect(health(12 * hour, -hour, 'refused')).to.equal('bad');
    expect(health(hour, 11 * hour, 'refused')).to.equal('warn');
  });
});
