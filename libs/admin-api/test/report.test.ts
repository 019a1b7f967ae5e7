import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import type { Proposal } from '../src/proposal.ts';
import { reportOf, reportPage } from '../src/proposals/report.ts';

const proposal: Proposal = {
  id: 3,
  title: 'a <script>alert(1)</script> title',
  reason: 'because "it" & that',
  by: 'agent',
  at: 0,
  operations: [
    { op: 'replace', path: '/apps/x/token', value: 'geheim' },
    { op: 'add', path: '/apps/x/other', value: { password: 'geheim', deep: [{ client_secret: 'geheim' }] } },
    { op: 'remove', path: '/apps/x/gone' },
  ],
  evidence: [],
  report: {
    changed: true,
    patch: [{ op: 'replace', path: '/apps/x/token', value: 'geheim' }],
    behavior: {
      recorded: 10,
      generated: 2,
      same: 9,
      different: 3,
      undecided: 0,
      groups: [{ summary: '3 of 10 requests <b>', examples: [{ request: { method: 'GET', url: 'http://x/<i>' } }] }],
      undecided_because: [],
    },
  },
  state: 'applied',
  closedBy: 'reviewer',
  closedAt: 1000,
  revision: 7,
  rollout: null,
};

describe('proposal reports', () => {
  it('a proposal report contains the proposal, its effects and the decision, without secrets', () => {
    const report = reportOf(proposal, '1.2.3');
    expect(JSON.stringify(report)).to.not.include('geheim');
    expect(report['server']).to.equal('Sluice 1.2.3');
    expect(report['decision']).to.deep.equal({
      state: 'applied',
      by: 'reviewer',
      at: '1970-01-01T00:00:01.000Z',
      revision: 7,
    });
    const { patch } = report['proposal'] as JsonObject;
    expect((patch as Json[])[2]).to.deep.equal({ op: 'remove', path: '/apps/x/gone' });
    expect(report['effects']).to.not.have.property('patch');
  });

  it('a proposal report page escapes all text, and does not load external resources', () => {
    const page = reportPage(reportOf(proposal, '1'), 'a.b.c');
    expect(page).to.not.match(/<script|<b>requests|<i>|geheim/);
    expect(page).to.include('&lt;script&gt;alert(1)&lt;/script&gt;').and.to.include('http://x/&lt;i&gt;');
    expect(page).to.not.match(/(?:src|href)=/);
    expect(page).to.include("default-src 'none'").and.to.include('a.b.c');
    expect(page).to.include('Approved and applied by reviewer on 1970-01-01T00:00:01.000Z, as revision 7');
  });

  it('the report of an open proposal contains no decision, and the comparison is optional', () => {
    const open: Proposal = { ...proposal, state: 'open', closedAt: null, closedBy: null, report: { changed: true } };
    expect(reportOf(open, '1')['decision']).to.deep.equal({ state: 'open' });
    expect(reportPage(reportOf(open, '1'), ''))
      .to.include('Not decided yet')
      .and.to.include('Requests were not compared.');
  });

  it('a proposal report contains the steps of the rollout and their decisions', () => {
    const seen = { new: { requests: 400, failures: 8, latency_ms: { p95: 12 } }, old: { requests: 9000, failures: 0 } };
    const rollout = {
      state: 'taken_back',
      why: 'too many <failures>',
      plan: '1%,all;hold=30s',
      steps: [{ stage: '1%', seen }],
      patch: ['geheim'],
    };
    const report = reportOf({ ...proposal, rollout }, '1');
    expect(report['rollout']).to.deep.include({ why: 'too many <failures>' }).and.to.not.have.property('patch');
    const page = reportPage(report, 'a.b.c');
    expect(page).to.include('rolled back, too many &lt;failures&gt;');
    expect(page).to.include(
      '<b>1%</b>: 400 requests, 8 failed, p95 12 ms with the change; 9000 requests, 0 failed without it',
    );
  });
});
