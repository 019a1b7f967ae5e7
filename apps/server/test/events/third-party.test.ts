import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, TestServer, withApps } from '../support/server.ts';

const fixture = fileURLToPath(new URL('../fixtures/events', import.meta.url));

const note = (label: string, modules: readonly string[], then = '', events: readonly string[] = []): object => ({
  events,
  modules,
  handlers: [{ handler: 'note', label, then }],
});

const subscriptions = [
  note('all', []),
  note('shop', ['shop']),
  note('orders', ['shop.orders']),
  note('second of orders', ['shop.orders']),
  note('refused', ['shop.orders'], 'abort', ['refused']),
  note('broken', ['shop'], 'throw', ['broken']),
  note('hanging', ['shop'], 'hang', ['hanging']),
  note('elsewhere', ['shop.orders.lines', 'ord', 'shop.order']),
];

describe('server events with third-party handlers', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  before(async () => {
    sandbox = new Sandbox();
    const names = ['placed', 'refused', 'broken', 'hanging'];
    const routes = names.map((event) => ({
      match: [{ path: [`/${event}`] }],
      handle: [{ handler: 'emit', origin: 'shop.orders', event }],
    }));
    const configuration = (admin: number, http: number): unknown =>
      withApps(config(admin, http, routes), { events: { subscriptions } });
    server = await TestServer.runWith(sandbox, configuration, ['--workers', '1', '--module', fixture]);
  });
  after(() => sandbox.remove());

  const emit = async (event: string): Promise<{ aborted: string | null; data: { seen: string[] } }> =>
    JSON.parse((await server.http(`/${event}`)).text) as Awaited<ReturnType<typeof emit>>;

  it('events reach handlers of the origin before handlers of its parents, in subscription order, and return data from handlers', async () => {
    expect(await emit('placed')).to.deep.equal({
      aborted: null,
      data: { from: 'emit', seen: ['orders', 'second of orders', 'shop', 'all'] },
    });
  });

  it('an aborted event stops propagating, and the emitter is notified', async () => {
    const { aborted, data } = await emit('refused');
    expect(aborted).to.equal('refused says no');
    expect(data.seen).to.deep.equal(['orders', 'second of orders', 'refused']);
  });

  it('events continue to propagate after a handler throws', async () => {
    const { aborted, data } = await emit('broken');
    expect(aborted).to.equal(null);
    expect(data.seen).to.deep.equal(['orders', 'second of orders', 'shop', 'broken', 'all']);
    await server.logged('event handler failed');
  });

  it('a hanging event handler delays only emitters that wait for their handlers', async () => {
    let isBack = false;
    void emit('hanging').then(
      () => (isBack = true),
      () => undefined,
    );
    for (let i = 0; i < 20; i++) expect((await emit('placed')).aborted).to.equal(null);
    expect((await server.admin('/config/apps/events/subscriptions/0/handlers/0/label')).text).to.equal('"all"\n');
    expect(isBack).to.equal(false);
  });
});
