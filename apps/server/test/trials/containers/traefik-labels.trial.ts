/**
 * Compares Traefik's Docker provider with the Docker provider of Sluice, for the same containers and requests. Requires Traefik:
 * `SLUICE_TRAEFIK=/path/to/traefik`, or `traefik` on PATH. `SLUICE_TRAEFIK_CASES` selects cases by title.
 */
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { ContainerEngine, type TestContainer } from '../../support/container-engine.ts';
import { Sandbox, until } from '../../support/sandbox.ts';
import { config, send, TestServer, withApps } from '../../support/server.ts';
import type { CaseContainer, LabelCase } from './cases.ts';
import { differencesOf, play } from './compare.ts';
import { middlewareCases } from './middlewares.ts';
import { invalidCases, ruleCases } from './rules.ts';
import { serviceCases } from './services.ts';
import { findTraefik, Traefik } from './traefik.ts';
import { markerAddress, Upstreams } from './upstreams.ts';

const selected = new RegExp(process.env['SLUICE_TRAEFIK_CASES'] ?? '');

describe('Traefik labels with Traefik and Sluice', function () {
  this.timeout(60_000);
  const command = findTraefik();
  const upstreams = new Upstreams();
  let sandbox: Sandbox;
  let engine: ContainerEngine;
  let traefik: Traefik | null = null;
  let server: TestServer;
  let markers = 0;

  before(async function () {
    if (command === null) {
      process.stdout.write('      skipped: SLUICE_TRAEFIK is not set, and traefik is not on PATH\n');
      return this.skip();
    }
    sandbox = new Sandbox();
    await upstreams.open();
    engine = new ContainerEngine(sandbox.path('engine.sock'));
    await engine.open();
    const [admin, http] = [await freePort(), await freePort()];
    const docker = {
      provider: 'docker',
      endpoint: `unix://${engine.path}`,
      dialects: ['traefik'],
      entry_points: { web: `127.0.0.1:${http}` },
    };
    const file = await sandbox.write(
      'config.json',
      withApps(config(admin, await freePort(), []), { providers: { sources: { docker } } }),
    );
    server = await TestServer.start(sandbox, ['--config', file, '--workers', '1'], admin, http);
    traefik = await Traefik.start(command, engine.path);
  });

  after(async () => {
    await traefik?.stop();
    await upstreams.close();
    await engine?.close();
    await sandbox?.remove();
  });

  const container = ({ labels, address = '127.0.0.1', health }: CaseContainer): TestContainer => {
    const { main, other, h2c } = upstreams;
    const ports: Readonly<Record<string, number>> = { main, other, h2c };
    return {
      labels: Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [
          /^(?:traefik|com)\./.test(name) ? name : `traefik.http.${name}`,
          value.replaceAll(/\{(main|other|h2c)\}/g, (_, kind: string) => String(ports[kind])),
        ]),
      ),
      networks: { bridge: address },
      ports: [main, other],
      ...(health === undefined ? {} : { health }),
    };
  };

  /** Starts a container with a router that no other case has, and waits until both proxies serve the router. */
  async function synchronize(): Promise<string> {
    const name = `marker-${++markers}`;
    const labels = {
      [`routers.${name}.rule`]: `Host(\`${name}.test\`)`,
      [`routers.${name}.priority`]: '100000',
      [`services.${name}.loadbalancer.server.port`]: '{main}',
    };
    engine.start(name, container({ labels, address: markerAddress }));
    for (const port of [traefik?.port ?? 0, server.httpPort])
      await until(
        async () =>
          (await send(port, '/', { headers: { Host: `${name}.test` } }).catch(() => null))?.headers['x-upstream'] ===
          `${markerAddress} main`,
        `${name} on port ${port}: ${server.started.stderr()}`,
        4_000,
      );
    return name;
  }

  async function run({ containers, requests, unhealthy = [], delay = 0 }: LabelCase): Promise<readonly string[]> {
    for (const each of unhealthy) upstreams.unhealthy.add(each);
    for (const [name, each] of Object.entries(containers)) engine.start(name, container(each));
    const marker = await synchronize();
    await new Promise((resolve) => setTimeout(resolve, delay));
    try {
      const [theirs, ours] = [await play(traefik?.port ?? 0, requests), await play(server.httpPort, requests)];
      return differencesOf(theirs, ours);
    } finally {
      for (const name of [...Object.keys(containers), marker]) engine.stop(name);
      upstreams.unhealthy.clear();
    }
  }

  const groups = {
    rules: ruleCases,
    'invalid labels': invalidCases,
    services: serviceCases,
    middlewares: middlewareCases,
  };
  for (const [group, cases] of Object.entries(groups))
    for (const each of cases.filter(({ title }) => selected.test(title)))
      it(`${group}: ${each.title}`, async () => {
        const found = await run(each);
        const known = Object.keys(each.differs ?? {});
        const covers = (difference: string) => (name: string) => difference.includes(name);
        expect(found.filter((difference) => !known.some(covers(difference))).join('\n')).to.equal('');
        const vanished = known.filter((name) => !found.some((difference) => difference.includes(name)));
        expect(vanished, 'differences that no longer exist').to.deep.equal([]);
      });
});
