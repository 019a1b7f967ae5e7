import { expect } from 'chai';
import { certificateHealth, upstreamHealth, type Upstream } from '../../src/page/state/health.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-01T00:00:00Z');

function health(before: number, left: number, error: string | null = null): string {
  const at = (time: number): string => new Date(now + time).toISOString();
  return certificateHealth({ managed: true, not_before: at(-before), not_after: at(left), last_error: error }, now);
}

describe('dashboard.state.health certificateHealth', () => {
  it('certificateHealth returns warn in the last week of a certificate, or in the last quarter of a shorter lifetime', () => {
    expect(health(60 * 24 * hour, 8 * 24 * hour)).to.equal('ok');
    expect(health(60 * 24 * hour, 6 * 24 * hour)).to.equal('warn');
    expect(health(hour, 11 * hour)).to.equal('ok');
    expect(health(8 * hour, 4 * hour)).to.equal('ok');
    expect(health(9.5 * hour, 2.5 * hour)).to.equal('warn');
  });

  it('certificateHealth returns bad if the certificate expired and its renewal failed', () => {
    expect(health(12 * hour, -hour)).to.equal('warn');
    expect(health(12 * hour, -hour, 'refused')).to.equal('bad');
    expect(health(hour, 11 * hour, 'refused')).to.equal('warn');
  });
});

describe('dashboard.state.health upstreamHealth', () => {
  const idle: Upstream = {
    address: 'a:80',
    num_requests: 0,
    queued: 0,
    fails: 0,
    draining: false,
    latency_ms: 0,
    state: 'unknown',
    reason: 'no health checks are configured',
    since: '2026-01-01T00:00:00.000Z',
    used_by: 1,
    unhealthy: 0,
    checked: 0,
    ejected_until: null,
    last_check: null,
  };
  const cases: readonly [upstream: Partial<Upstream>, color: string][] = [
    [{ state: 'healthy' }, 'ok'],
    [{ state: 'degraded' }, 'warn'],
    [{ state: 'unhealthy' }, 'bad'],
    [{ state: 'unknown' }, 'idle'],
    [{ state: 'unknown', draining: true }, 'warn'],
    [{ state: 'unhealthy', draining: true }, 'bad'],
  ];
  for (const [upstream, color] of cases)
    it(`upstreamHealth is ${color} for ${JSON.stringify(upstream)}`, () => {
      expect(upstreamHealth({ ...idle, ...upstream })).to.equal(color);
    });
});
