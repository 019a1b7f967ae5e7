import { expect } from 'chai';
import type { RedisServer } from '@sluice/testing';
import { until } from '../support/sandbox.ts';
import { documentOf, valuePath, type FleetServer } from './fleet-of-three.ts';
import { redis } from './store-servers.ts';
import { describeFleet, type FleetSuite } from './suite.ts';

const routesPath = 'config/apps/http/servers/s/routes';

/** Returns a package with one handler whose only option differs between versions. */
function greeter(version: string, option: string): Readonly<Record<string, unknown>> {
  return {
    'package.json': {
      name: 'greeter',
      version,
      type: 'module',
      sluice: { entry: './index.js', modules: { 'http.handlers.greet': {} } },
    },
    'index.js': `
      import { defineModule, httpHandlers, options, string } from '@sluice/module';
      export const register = (registry) => registry.add(defineModule(httpHandlers, {
        name: 'greet', help: 'Greets.', config: options({ ${option}: string('What it says.') }),
        provision: () => ({ handle: (exchange, next) => next(exchange) }),
      }));`,
  };
}

interface Told {
  readonly name: string;
  readonly ready?: boolean;
  readonly applied?: number;
  readonly rejected?: { readonly rev: number; readonly path: string; readonly message: string };
}

async function membersOf(server: FleetServer): Promise<readonly Told[]> {
  return ((await server.get('fleet')) as { members: readonly Told[] }).members;
}

function areReady(server: FleetServer, count: number): Promise<void> {
  const look = async (): Promise<boolean> => {
    const all = await membersOf(server);
    const isOne = new Set(all.map(({ applied }) => applied)).size === 1;
    return all.length === count && isOne && all.every(({ ready }) => ready);
  };
  return until(look, 'all members are ready', 60_000);
}

const options = {
  engine: redis,
  routes: 3,
  timeout: 180_000,
  start: async ({ servers, server }: FleetSuite<RedisServer>): Promise<void> => {
    await server(0).install('greeter', greeter('1.0.0', 'word'));
    await server(1).install('greeter', greeter('2.0.0', 'words'));
    await server(0).run(documentOf(servers, 3));
    await server(1).run();
    await areReady(server(0), 2);
  },
};

describeFleet('fleet members that differ', options, ({ servers, server }) => {
  it('a dry run queries fleet members with other module versions, and reports their rejections', async () => {
    const dryRun = async (option: string): Promise<unknown> => {
      const route = { handle: [{ handler: 'greet', [option]: 'hello' }] };
      const { text } = await server(0).ask('POST', `${routesPath}?dry_run=true`, route);
      return (JSON.parse(text) as { members?: unknown }).members;
    };
    // The queried member has the first version of the package and could not validate the option of the second.
    expect(await dryRun('word')).to.have.nested.property('b.state', 'refused');
    expect(await dryRun('word'))
      .to.have.nested.property('b.path')
      .that.includes('routes[4].handle[0]');
  });

  it('fleet members apply a change that one member cannot load, and report the path and reason for that member', async () => {
    const route = { handle: [{ handler: 'greet', word: 'hello' }] };
    expect((await server(0).ask('POST', `${routesPath}?wait=here`, route)).status).to.equal(200);
    const reported = async (): Promise<Told | undefined> =>
      (await membersOf(server(0))).find(({ name }) => name === 'b');
    await until(async () => (await reported())?.rejected !== undefined, 'b says that it has not applied it', 60_000);
    const { rejected } = (await reported()) as Required<Told>;
    expect(rejected.path).to.include('routes[4].handle[0]');
    expect(rejected.message).to.include('word');
    // The member that rejected the change continues to serve its complete previous configuration.
    expect(await server(1).serve()).to.equal('first');
    expect((await server(0).ask('DELETE', `${routesPath}/4`)).status).to.equal(200);
    await areReady(server(0), 2);
  });

  it('the fleet rejects a change that requires a module that a member lacks', async () => {
    await server(2).run();
    await areReady(server(0), 3);
    const before = (await server(0).get('fleet')) as { revision: number };
    const route = { handle: [{ handler: 'greet', word: 'hello' }] };
    const { text } = await server(0).ask('POST', `${routesPath}?dry_run=true`, route);
    const { c } = (JSON.parse(text) as { members: Readonly<Record<string, Told>> }).members;
    expect(c).to.include({ state: 'refused', message: 'module http.handlers.greet is not installed' });
    const refused = await server(0).ask('POST', routesPath, route);
    expect(refused.status).to.equal(409);
    expect(refused.text).to.include('member c does not have module http.handlers.greet');
    expect(refused.text).to.include('apps.http.servers.s.routes[4].handle[0]');
    expect(await server(0).get('fleet')).to.have.property('revision', before.revision);
  });

  it('a fleet overlay cannot change shared settings unless the fleet permits it', async () => {
    const overlay = {
      members: ['b'],
      merge: {
        apps: { http: { servers: { s: { routes: [{ handle: [{ handler: 'static_response', body: 'mine' }] }] } } } },
      },
    };
    const add = () => server(2).ask('POST', 'config/admin/fleet/overlays', overlay);
    const refused = await add();
    expect(refused.status).to.equal(500);
    expect(refused.text).to.include('changes /apps/http/servers/s/routes, which must be the same for all members');
    expect(refused.text).to.include('admin.fleet.overlays[3].merge');
    const paths = ['/apps/http/servers/s/routes'];
    const permitted = await server(2).ask('PUT', 'config/admin/fleet/overlay_paths', paths);
    expect(permitted.status, permitted.text).to.equal(200);
    expect((await add()).status).to.equal(200);
    await until(async () => (await server(1).serve()) === 'mine', 'b has its own');
    for (const each of servers) expect(await each.get(valuePath)).to.equal('first');
    expect(await server(0).serve()).to.equal('first');
  });
});
