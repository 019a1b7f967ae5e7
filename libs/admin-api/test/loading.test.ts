import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { configLoaders, type LoadedConfig } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { startServer, type TestServer } from './admin.ts';

/** Results of the test configuration loader, one per pull. The last result is repeated. */
type TestResponse = Json | Error | (() => LoadedConfig);

describe('admin.config.load', () => {
  let server: TestServer;
  let responses: TestResponse[] = [];
  let pulls: { source: string; time: number }[] = [];

  const source = defineModule(configLoaders, {
    name: 'source',
    help: 'Gives what the test says.',
    config: options({ name: string('Which.') }),
    provision: (config) => ({
      load: async () => {
        pulls.push({ source: config.name ?? '', time: Date.now() });
        const response = responses.length > 1 ? responses.shift() : responses[0];
        if (response instanceof Error) throw response;
        if (typeof response === 'function') return response();
        return { body: Buffer.from(JSON.stringify(response)), adapter: null, contentType: null };
      },
    }),
  });

  beforeEach(async () => {
    responses = [];
    pulls = [];
    server = await startServer({ prepare: (registry) => registry.add(source) });
  });

  afterEach(() => server.close());

  const asking = (delay: string | null, name = 'a', rest: Record<string, Json> = {}): Json => ({
    admin: { config: { load: { module: 'source', name }, ...(delay === null ? {} : { load_delay: delay }) } },
    ...rest,
  });
  const load = (json: Json): ReturnType<TestServer['ask']> => server.ask('/load', { method: 'POST', json });
  const valued = (value: number): Json => ({ apps: { any: { value } } });

  /** Waits up to a few seconds until a condition is true. */
  async function until(holds: () => boolean): Promise<void> {
    for (let i = 0; i < 400 && !holds(); i++) await sleep(10);
    expect(holds()).to.equal(true);
  }

  it('a config loader loads the configuration immediately and only once if load_delay is not set', async () => {
    responses = [valued(1)];
    expect((await load(asking(null))).status).to.equal(200);
    await until(() => server.reconciler.revision === 3);
    expect(server.reconciler.document).to.deep.equal(valued(1));
    expect(server.reconciler.history.entries[0]?.origin).to.equal('loader');
    await sleep(50);
    expect(pulls).to.have.length(1);
  });

  it('a change is rejected and the previous configuration remains active if a config loader fails @long', async function () {
    this.timeout(10_000);
    await load(valued(0));
    responses = [new Error('no server there')];
    const { status, json } = await load(asking(null));
    expect(status).to.equal(400);
    expect(json).to.have.property('error').that.contains('no server there');
    expect(pulls.length).to.equal(10);
    expect(server.reconciler.document).to.deep.equal(valued(0));
  });

  it('a config loader retries a few times before it fails', async () => {
    responses = [new Error('not yet'), valued(2)];
    expect((await load(asking(null))).status).to.equal(200);
    await until(() => server.reconciler.revision === 3);
    expect(server.reconciler.document).to.deep.equal(valued(2));
  });

  it('a config loader waits for load_delay before each load, as long as the configuration contains the loader', async () => {
    responses = [1, 2, 3].map((value) => asking('40ms', 'a', valued(value) as Record<string, Json>));
    expect((await load(asking('40ms'))).status).to.equal(200);
    expect(pulls).to.have.length(0);
    await until(() => pulls.length >= 5);
    for (const [i, { time }] of pulls.entries()) if (i > 0) expect(time - (pulls[i - 1]?.time ?? 0)).to.be.at.least(35);
    expect(server.reconciler.read(['apps', 'any', 'value'])).to.equal(3);
    expect(server.reconciler.revision).to.equal(5);
    await load(valued(9));
    const count = pulls.length;
    await sleep(120);
    expect(pulls).to.have.length(count);
    expect(server.reconciler.document).to.deep.equal(valued(9));
  });

  it('a config loader keeps the active configuration if the loaded configuration fails, and retries', async () => {
    responses = [{ apps: { nope: {} } }, new Error('gone'), () => broken, valued(7)];
    const broken: LoadedConfig = { body: Buffer.from('{'), adapter: null, contentType: null };
    await load(asking('30ms', 'a', { apps: { any: { value: 0 } } }));
    await until(() => pulls.length >= 3);
    expect(server.reconciler.read(['apps', 'any', 'value'])).to.equal(0);
    await until(() => server.reconciler.read(['apps', 'any', 'value']) === 7);
    const errors = server.entries.filter(({ level }) => level === 'error').map(({ fields }) => String(fields['error']));
    expect(errors).to.have.length(3);
    expect(errors[0]).to.contain('unknown module: nope');
    expect(errors[1]).to.contain('gone');
  });

  it('a loaded configuration may contain another loader, but the server does not reload in a tight loop', async () => {
    let value = 0;
    responses = [
      () => ({ body: Buffer.from(JSON.stringify(asking(null, `b${value++}`))), adapter: null, contentType: null }),
    ];
    await load(asking(null));
    await sleep(300);
    expect(pulls.length).to.be.within(2, 3);
    await load(valued(1));
    await sleep(1_200);
    expect(server.reconciler.document).to.deep.equal(valued(1));
  });

  it('a config loader is not called for unrelated changes and dry runs', async () => {
    responses = [asking('1h', 'a', { apps: { any: { value: 1 } } })];
    await load(asking('1h', 'a', { apps: { any: { value: 0 } } }));
    await server.ask('/config/apps/any/value', { method: 'PATCH', json: 5 });
    await server.ask('/load?dry_run', { method: 'POST', json: asking(null, 'other') });
    await sleep(30);
    expect(pulls).to.have.length(0);
    expect(server.reconciler.read(['apps', 'any', 'value'])).to.equal(5);
  });

  it('a config loader determines the configuration format from the response or from its own options', async () => {
    responses = [() => ({ body: Buffer.from('x'), adapter: 'nope', contentType: 'application/json' })];
    expect((await load(asking(null))).json)
      .to.have.property('error')
      .that.contains('unknown config adapter "nope"');
    responses = [() => ({ body: Buffer.from('x'), adapter: null, contentType: 'text/other; charset=utf-8' })];
    expect((await load(asking(null))).json)
      .to.have.property('error')
      .that.contains('unknown config adapter "other"');
    responses = [() => ({ body: Buffer.from('{}'), adapter: 'json', contentType: 'text/other' })];
    expect((await load(asking(null))).status).to.equal(200);
  });

  it('a config loader with an invalid delay or unknown module is rejected, and the error names the path', async () => {
    expect((await load(asking('soon'))).json)
      .to.have.property('error')
      .that.contains('admin.config.load_delay');
    const { json } = await load({ admin: { config: { load: { module: 'nope' } } } });
    expect(json)
      .to.have.property('error')
      .that.contains('admin.config.load: unknown module: caddy.config_loaders.nope');
  });
});
