import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { plotOf } from '../../src/history/plot.ts';
import { readRuns, serialize } from '../../src/history/run.ts';
import { tablesOf } from '../../src/history/tables.ts';
import { targetRows } from '../../src/history/wanted.ts';
import type { Measurements } from '../../src/measure.ts';
import { exampleRun } from './example-run.ts';

const run = exampleRun('0123456789abcdef', '2026-11-22T12:30:00.000Z');

describe('benchmark tool: history of runs', () => {
  it('serialize keeps all rounds of a run', () => {
    expect(JSON.parse(serialize(run))).to.deep.equal(run);
  });

  it('all saved runs can be plotted and formatted as tables', () => {
    const runs = readRuns();
    expect(runs.length).to.be.at.least(1);
    expect(runs.map(({ date }) => date)).to.deep.equal(runs.map(({ date }) => date).toSorted());
    for (const each of runs) expect(tablesOf(each).get('requests')).to.include('plain response');
  });
});

describe('benchmark tool: tables of a run', () => {
  const tables = tablesOf(run);

  it('tablesOf states the date, machine and versions', () => {
    expect(tables.get('run')).to.include('2026-11-22 12:30 UTC at commit 01234567:').and.include('caddy 2.11.9');
  });

  it('targetRows contains the target, the result, and a link for missed targets', () => {
    const lines = (tables.get('wanted') ?? '').split('\n');
    expect(lines.map((line) => line.split('|').map((cell) => cell.trim()))).to.deep.include.members([
      ['', 'plain response', '2.8', '3', '1', '', '0.5', '[missed](#cpu-profile-of-a-small-request)', ''],
      ['', 'p99 during 200 changes divided by p99 without changes (at most 2)', '', '', '', '', '1.6', 'met', ''],
    ]);
    const [scenario] = run.scenarios;
    const nginx = { ...scenario?.servers['caddy'], costs: [2, 2, 2] } as Measurements;
    const withNginx = {
      ...run,
      scenarios: [{ name: 'plain response', servers: { ...scenario?.servers, nginx } }],
    };
    expect(targetRows(withNginx)[1]?.slice(3)).to.deep.equal(['1', '1', '0.5', 'met']);
    const slow = {
      ...run,
      underChanges: { rate: 50, servers: { sluice: { quiet: [0.5], changed: [1.1], failed: 0 } } },
    };
    expect(targetRows(slow).at(-1)?.at(-1)).to.equal('[missed](#cpu-profile-of-a-change)');
  });

  it('targetRows links to existing sections of the docs', () => {
    const docs = readFileSync(new URL('../../../../docs/benchmarks.md', import.meta.url), 'utf8');
    const parts = Array.from(docs.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const verdicts = readRuns().flatMap((each) => targetRows(each).map((row) => row.at(-1) ?? ''));
    const links = new Set(verdicts.flatMap((verdict) => /#([^)]*)/.exec(verdict)?.[1] ?? []));
    expect(links.size).to.be.at.least(5);
    expect(parts).to.include.members([...links]);
  });

  it('tablesOf shows ratios with their range, by rate and by CPU time', () => {
    expect(tables.get('requests')).to.match(/plain response.*3\.00 \(2\.90 to 3\.10\).*3\.00 \(2\.86 to 3\.16\)/);
  });

  it('tablesOf shows latencies side by side', () => {
    expect(tables.get('latency')).to.match(/0\.10, 0\.50, 1\.00 +\| 0\.10, 1\.00, 1\.00 .*\| 0\.50 /);
    expect(tables.get('under changes')).to.match(/sluice +\| 0\.50 ms +\| 0\.80 ms +\| 0 /);
  });
});

describe('benchmark tool: plot of ratios', () => {
  it('plotOf draws a chart per workload with a point per run', () => {
    const svg = plotOf([run, exampleRun('fedcba9876543210', '2026-11-23T12:30:00.000Z')]);
    expect(svg).to.match(/^<svg .*<\/svg>\n$/s);
    expect(svg.match(/<circle/g)).to.have.length(2);
    expect(svg).to.include('plain response').and.include('2026-11-23 fedcba98');
    expect(svg).not.to.include('NaN');
  });
});
