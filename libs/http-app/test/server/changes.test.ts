import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { httpHandlers, httpMatchers } from '@sluice/http-app';
import { defineModule, listOptions, options, string, text, type Registry } from '@sluice/registry';
import { replaceAt } from '@sluice/reconciler';
import type { Json } from '@sluice/base';
import { serve, withRoutes } from '@sluice/testing';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Registers minimal handlers and matchers, so that the measurement includes only the HTTP app. */
function register(registry: Registry): void {
  registry.add(
    defineModule(httpHandlers, {
      name: 'say',
      help: 'Responds.',
      config: options({ text: string('What.') }),
      provision: (config) => ({ handle: ({ response }) => response.end(config.text ?? '') }),
    }),
  );
  registry.add(
    defineModule(httpMatchers, {
      name: 'host',
      help: 'Matches hosts.',
      config: listOptions('Hosts.', text()),
      provision: (hosts) => ({
        match: ({ host }) => hosts.includes(host),
        keys: { kind: 'host' as const, keys: hosts },
      }),
    }),
  );
}

function routes(count: number): Json {
  return Array.from({ length: count }, (_, i) => ({
    match: [{ host: [`h${i}`] }],
    handle: [{ handler: 'say', text: `first ${i}` }],
    terminal: true,
  }));
}

const pathOf = (route: number): string[] => [
  'apps',
  'http',
  'servers',
  's',
  'routes',
  String(route),
  'handle',
  '0',
  'text',
];

describe('configuration changes of a server', () => {
  it('10,000 consecutive configuration changes of a server do not increase memory @long', async function () {
    this.timeout(60_000);
    const count = 500;
    const server = await serve(withRoutes(routes(count)), { register: [register] });
    const change = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i++)
        await server.reconciler.change((root) => replaceAt(root, pathOf(i % count), `text ${i}`));
      await server.runtime.settled();
      collect();
    };
    await change(0, 1000);
    const before = process.memoryUsage().heapUsed;
    await change(1000, 11_000);
    const after = process.memoryUsage().heapUsed;
    expect(server.runtime.retiring).to.equal(0);
    expect(after / before).to.be.below(1.1);
    const last = 10_999;
    expect((await server.request({ host: `h${last % count}` })).text).to.equal(`text ${last}`);
    await server.close();
  });

  it('a change to one of 10,000 routes rebuilds only the changed route', async () => {
    const count = 10_000;
    const server = await serve(withRoutes(routes(count)), { register: [register] });
    const report = await server.reconciler.change((root) => replaceAt(root, pathOf(7000), 'changed'), { dryRun: true });
    expect(report.report?.rebuilt.map(({ path }) => path)).to.deep.equal([
      'apps.http',
      'apps.http.servers.s.routes[7000].handle[0]',
    ]);
    expect(report.report?.kept).to.have.length(2 * count - 1);
    expect([report.report?.started, report.report?.stopped]).to.deep.equal([[], []]);
    await server.reconciler.change((root) => replaceAt(root, pathOf(7000), 'changed'));
    for (const [host, expected] of [
      ['h0', 'first 0'],
      ['h7000', 'changed'],
      ['h9999', 'first 9999'],
      ['none', ''],
    ]) {
      expect((await server.request({ host: host as string })).text).to.equal(expected);
    }
    await server.close();
  });
});
