/**
 * Tests rollouts with deliberately wrong but plausible changes. The steps of a careful operator must stop each change before it harms 1 %
 * of the requests.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox, until } from '../../../support/sandbox.ts';
import { TestServer } from '../../../support/server.ts';
import { faults, type Replacement } from './faults.ts';
import { takeThrough, type Outcome } from './pipeline.ts';
import { files, filledIn, site, type Place } from './site.ts';
import { Traffic } from './traffic.ts';
import { startUpstreams, type Upstreams } from './upstreams.ts';

const plan = '1%,10%,50%,all;hold=2s;by=header:X-User';
/** Number of requests per rollout that may be late on a busy machine. */
const noise = 5;

const all = process.env['SLUICE_TEST_ALL_STEPS'] !== undefined;
const only = process.env['SLUICE_TEST_ONLY'];

describe('rollouts with planted faults', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  let upstreams: Upstreams;
  let traffic: Traffic;
  let place: Place;
  let intact: string;
  const found: ({ readonly title: string } & Outcome)[] = [];

  before(async function () {
    this.timeout(240_000);
    sandbox = new Sandbox();
    upstreams = await startUpstreams();
    for (const [name, text] of Object.entries(files)) await sandbox.write(name, text);
    for (const name of ['secure.test', 'other.test']) certify(sandbox, name);
    execFileSync('mkfifo', [sandbox.path('pipe')]);
    const [http, https, admin] = [await freePort(), await freePort(), await freePort()];
    place = { http, https, admin, free: await freePort(), folder: sandbox.folder, ports: upstreams.ports };
    intact = filledIn(site, place);
    const file = await sandbox.write('Caddyfile', intact);
    server = await TestServer.start(sandbox, ['--config', file, '--workers', '1'], admin, http);
    await server.admin('/load', { method: 'POST', text: intact, headers: { 'Content-Type': 'text/caddyfile' } });
    traffic = new Traffic({ http, https, ca: [readFileSync(sandbox.path('secure.test.crt'), 'utf8')] }, 10);
    await traffic.learn();
    const tally = traffic.count();
    await until(() => tally.requests > 2500, 'traffic', 200_000);
    expect(tally.hurt, [...tally.by].join()).to.be.at.most(tally.requests / 500);
  });
  after(async () => {
    await traffic.stop();
    await server.stop();
    upstreams.close();
    await sandbox.remove();
  });

  for (const { title, claim, edit } of faults.filter((each) => only === undefined || new RegExp(only).test(each.title)))
    it(`a rollout with the injected fault ${title} is recorded`, async function () {
      this.timeout(300_000);
      const after = filledIn(edited(site, edit), place);
      traffic.focus(claim === 'same' ? [] : claim.at);
      const pipeline = { server, sandbox, traffic, before: intact, all, plan, watched: true, patience: 60_000 };
      const outcome = await takeThrough({ ...pipeline, shadow: { requests: 120, seconds: 20 } }, after, claim);
      found.push({ title, ...outcome });
      process.stdout.write(`${rowOf(title, outcome)}\n`);
      if (outcome.rollout?.state === 'promoted')
        await server.admin('/load', { method: 'POST', text: intact, headers: { 'Content-Type': 'text/caddyfile' } });
    });

  it('at least 19 of 20 injected faults are stopped before they affect 1 % of the requests', () => {
    const missed = found.filter(({ stopped, rollout }) => {
      const { requests = 0, hurt = 0 } = rollout ?? {};
      return stopped.size === 0 || hurt >= requests / 100 + noise;
    });
    expect(missed.map(({ title }) => title)).to.have.length.at.most(found.length / 20);
  });
});

/** Returns a table row with the step that stopped the wrong change, the share of harmed requests, and the reason. */
function rowOf(title: string, { stopped, rollout }: Outcome): string {
  const { requests = 0, hurt = 0, state = '', stage = '', why = '', by = [] } = rollout ?? {};
  const share = requests === 0 ? 0 : (100 * hurt) / requests;
  const steps = [...stopped].map(([step, reason]) => `${step}: ${reason.slice(0, 160)}`);
  const reasons = steps.length > 0 ? steps : [`${state} at ${stage}: ${why}`, ...by.slice(0, 3)];
  const names = [...stopped.keys()].join(', ') || 'none';
  return `| ${title} | ${names} | ${share.toFixed(2)} % (${hurt} of ${requests}) | ${reasons.join('; ').replaceAll('|', '/')} |`;
}

function edited(text: string, edit: readonly Replacement[]): string {
  return edit.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the configuration does not contain ${JSON.stringify(from)}`);
    return result.replace(from, () => to);
  }, text);
}

function certify(sandbox: Sandbox, name: string): void {
  const [key, crt] = [sandbox.path(`${name}.key`), sandbox.path(`${name}.crt`)];
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', ...options, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', crt],
    { stdio: 'ignore' },
  );
}
