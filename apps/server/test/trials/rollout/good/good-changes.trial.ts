/** Good changes, made by mutation of usual configurations: none of them is stopped. */
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox, until } from '../../../support/sandbox.ts';
import { TestServer } from '../../../support/server.ts';
import { takeThrough } from '../faults/pipeline.ts';
import { files, filledIn, type Place } from '../faults/site.ts';
import { startUpstreams, type Upstreams } from '../faults/upstreams.ts';
import { mutations, type GoodChange } from './changes.ts';
import { QuickTraffic } from './quick-traffic.ts';
import { sites, type Site } from './sites.ts';

const perSite = Number(process.env['SLUICE_TEST_CHANGES'] ?? 10);
const seed = Number(process.env['SLUICE_TEST_SEED'] ?? 1);
const only = process.env['SLUICE_TEST_ONLY'];
/** Large stages need few requests, so that 300 rollouts end in minutes. The comparison is the same. */
const plan = '30%,70%,all;hold=1s;by=header:X-User';

const type = { 'Content-Type': 'text/caddyfile' };

describe('good changes', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  let upstreams: Upstreams;
  let traffic: QuickTraffic;
  let place: Place;
  const counts = { changes: 0, promoted: 0, paused: 0 };
  const stopped: string[] = [];

  const configured = ({ host }: Site, lines: string): string =>
    filledIn(
      `{\n\tadmin 127.0.0.1:<ADMIN>\n\tauto_https off\n\tservers {\n\t\ttrusted_proxies static 127.0.0.0/8\n\t}\n}\n\nhttp://${host}:<HTTP> {\n${lines}\n}\n`,
      place,
    );

  before(async () => {
    sandbox = new Sandbox();
    upstreams = await startUpstreams();
    for (const [name, text] of Object.entries(files)) await sandbox.write(name, text);
    const [http, https, admin] = [await freePort(), await freePort(), await freePort()];
    place = { http, https, admin, free: await freePort(), folder: sandbox.folder, ports: upstreams.ports };
    const file = await sandbox.write('Caddyfile', configured(sites[0] as Site, 'respond ok'));
    server = await TestServer.start(sandbox, ['--config', file, '--workers', '1'], admin, http);
    traffic = new QuickTraffic(http, 12);
  });
  after(async () => {
    await traffic.stop();
    await server.stop();
    upstreams.close();
    await sandbox.remove();
    const { changes, promoted, paused } = counts;
    const summary = `${changes} changes: ${promoted} promoted, ${paused} paused, ${stopped.length} stopped`;
    process.stdout.write(`${[summary, ...stopped].join('\n')}\n`);
  });

  for (const [index, site] of sites.entries()) {
    if (only !== undefined && !new RegExp(only).test(site.name)) continue;
    it(`${perSite} changes of ${site.name}`, async function () {
      this.timeout(0);
      const intact = configured(site, site.lines);
      const load = (): Promise<unknown> => server.admin('/load', { method: 'POST', text: intact, headers: type });
      await load();
      await server.admin('/samples', { method: 'DELETE' });
      traffic.send(site.host, site.requests);
      await until(() => traffic.requests > 800, 'traffic', 60_000);
      for (const { title, lines, claim, expect: expected } of changesOf(site, index)) {
        const plans = expected === undefined ? plan : `${plan};expect=${expected}`;
        const pipeline = {
          server,
          sandbox,
          traffic,
          before: intact,
          all: false,
          plan: plans,
          patience: 60_000,
          watched: false,
          shadow: { requests: 40, seconds: 3 },
        };
        const began = performance.now();
        const outcome = await takeThrough(pipeline, configured(site, lines), claim);
        const state = outcome.rollout?.state ?? 'rejected';
        if (state === 'unchanged') continue;
        counts.changes++;
        if (state === 'promoted') counts.promoted++;
        if (outcome.stopped.size > 0 || state === 'rejected') {
          const reasons = [...outcome.stopped].map(([step, reason]) => `${step}: ${reason}`);
          stopped.push(`${site.name}: ${title}: ${state} ${outcome.rollout?.why ?? ''} ${reasons.join('; ')}`);
        } else if (state !== 'promoted') counts.paused++;
        process.stdout.write(`      ${title}: ${state} in ${Math.round((performance.now() - began) / 1000)} s\n`);
        if (state === 'promoted') await load();
      }
    });
  }

  it('no good change is stopped, and at most one in a hundred is paused', () => {
    expect(stopped).to.deep.equal([]);
    expect(counts.paused).to.be.at.most(counts.changes / 100);
  });
});

/** Returns different mutations of a site. */
function changesOf(site: Site, index: number): GoodChange[] {
  const random = randomFrom(seed * 1000 + index);
  const left = [...mutations];
  const changes: GoodChange[] = [];
  while (changes.length < perSite && left.length > 0) {
    const [mutation] = left.splice(Math.floor(random() * left.length), 1);
    const change = mutation?.(site.lines, site.host, random) ?? null;
    if (change !== null) changes.push(change);
  }
  return changes;
}

function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
