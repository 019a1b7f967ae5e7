import { expect } from 'chai';
import {
  effectOf,
  headlineOf,
  hostsText,
  shadowHeadlineOf,
  shadowTotalsOf,
  totalsOf,
  type BehaviorReport,
  type ShadowReport,
} from '../../src/page/base/behavior.ts';

const same: BehaviorReport = {
  recorded: 40,
  generated: 2,
  same: 42,
  different: 0,
  undecided: 0,
  not_compared: 0,
  groups: [],
  more_groups: 0,
  undecided_because: [],
};

const group = {
  summary: 'the http app is removed',
  count: 0,
  recorded: 0,
  hosts: [],
  more_hosts: 0,
  route_before: null,
  route_after: null,
  examples: [],
};

describe('dashboard.base.behavior', () => {
  it('headlineOf states that no compared request is handled differently', () => {
    expect(headlineOf(same)).to.equal('All compared requests are handled the same way');
    expect(headlineOf({ ...same, same: 40, undecided: 2 })).to.equal(
      'All compared requests are handled the same way; 2 undecided',
    );
    expect(headlineOf({ ...same, same: 41, different: 1 })).to.equal('1 compared request would be handled differently');
  });

  it('headlineOf does not claim that the behavior is unchanged if no requests were compared', () => {
    const none = { ...same, recorded: 0, generated: 0, same: 0 };
    expect(headlineOf(none)).to.equal('No requests compared');
    expect(totalsOf(none)).to.equal('');
    expect(headlineOf({ ...none, different: 1, groups: [group] })).to.equal('Requests would be handled differently');
  });

  it('totalsOf counts undecided requests and requests that were skipped because of the time limit', () => {
    expect(totalsOf(same)).to.equal('40 recorded and 2 generated requests: 42 the same, 0 different, 0 undecided.');
    expect(totalsOf({ ...same, same: 30, undecided: 5, not_compared: 7 })).to.equal(
      '40 recorded and 2 generated requests: 30 the same, 0 different, 5 undecided, 7 not compared because of the time limit.',
    );
  });

  it('effectOf returns the outcomes of an example request, or the first difference if the outcomes are the same', () => {
    const request = { method: 'GET', url: 'http://a/' };
    const [ok, none] = [
      { status: 200, upstream: '10.0.0.1:80' },
      { status: 0, upstream: null },
    ];
    expect(effectOf({ request, before: ok, after: none, differences: [] })).to.deep.equal({
      label: '',
      before: '200 from 10.0.0.1:80',
      after: 'no response',
    });
    const differences = [{ aspect: 'upstream_request', name: 'X-Id', before: null, after: ['1'] }];
    expect(effectOf({ request, before: ok, after: ok, differences })).to.deep.equal({
      label: 'upstream request X-Id',
      before: 'none',
      after: '["1"]',
    });
  });

  it('hostsText states the number of hosts omitted from the list', () => {
    expect(hostsText({ hosts: ['a', 'b'], more_hosts: 1 })).to.equal('a, b and 1 other host');
    expect(hostsText(group)).to.equal('');
  });

  it('shadowHeadlineOf does not claim that responses are identical if a group differs or no requests were replayed', () => {
    const report: ShadowReport = {
      ...{ recorded: 3, live: 1, same: 4, different: 0, unsteady: 0, not_replayed: 0, groups: [], more_groups: 0 },
      ...{ left_out: [], bypassed: [], noise: [] },
      latency_ms: { before: { p50: 1, p90: 2, p99: 3 }, after: { p50: 4, p90: 5, p99: 6 } },
    };
    expect(shadowHeadlineOf(report)).to.equal('All replayed requests got the same responses');
    expect(shadowHeadlineOf({ ...report, groups: [group] })).to.equal(
      'Replayed requests got the same responses, except for intermittent differences',
    );
    expect(shadowHeadlineOf({ ...report, different: 2, groups: [group] })).to.equal(
      '2 replayed requests got different responses',
    );
    expect(shadowHeadlineOf({ ...report, recorded: 0, live: 0 })).to.equal('No requests were replayed');
    expect(shadowTotalsOf({ ...report, not_replayed: 5 })).to.equal(
      '3 recorded and 1 live requests: 4 the same, 0 different, 0 intermittently different, 5 not replayed because of the time limit. Latency: p50 1 ms → 4 ms, p90 2 ms → 5 ms, p99 3 ms → 6 ms.',
    );
  });
});
