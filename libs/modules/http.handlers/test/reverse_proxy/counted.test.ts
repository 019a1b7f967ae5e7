import { expect } from 'chai';
import { createLogger } from '@sluice/base';
import { bytesOut, RequestStats, requestStatsToken, retries, upstreamConnections } from '@sluice/http-app';
import { serve, withRoutes } from '@sluice/testing';
import { Slab, Tally, TallyStore, threadBusToken, ControlBus } from '@sluice/threads';
import { Opened, packages, proxyTo, responding } from './support.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const unused = '127.0.0.1:1';

describe('http.handlers.reverse_proxy: upstream counters', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  /** Returns the counters of an upstream as read by the control thread. */
  function numbersOf(store: TallyStore, dial: string): Float64Array | undefined {
    return [...store.read()].find(({ name }) => name === `u${dial}`)?.numbers;
  }

  it('upstream counters include response bytes and retried requests', async () => {
    const { dial } = opened.add(await responding(ok));
    const store = new TallyStore();
    const tally = new Tally(
      store.slabsOf(0).map((memory) => new Slab(memory)),
      () => undefined,
    );
    const balancing = { load_balancing: { selection_policy: { policy: 'first' }, retries: 1 } };
    const server = opened.add(
      await serve(withRoutes([{ handle: [proxyTo([unused, dial], balancing)] }]), {
        ...packages,
        services: new Map([[requestStatsToken, new RequestStats(tally)]]),
      }),
    );
    for (let turn = 0; turn < 2; turn++) expect((await server.request('/')).text).to.equal('hello');
    const counted = numbersOf(store, dial);
    expect([counted?.[bytesOut], counted?.[retries]]).to.deep.equal([10, 2]);
    expect(numbersOf(store, unused)?.[retries]).to.equal(0);
    expect(numbersOf(store, unused)?.[bytesOut]).to.equal(0);
  });

  it('upstream counters include open connections per address', async () => {
    const { dial } = opened.add(await responding(ok));
    const bus = new ControlBus(createLogger({ enabled: () => false, write: () => undefined }));
    const services = new Map([[threadBusToken, bus]]);
    const server = opened.add(await serve(withRoutes([{ handle: [proxyTo(dial)] }]), { ...packages, services }));
    expect((await bus.gather(upstreamConnections, null)).flat()).to.deep.equal([]);
    await server.request('/');
    expect((await bus.gather(upstreamConnections, null)).flat()).to.deep.equal([
      { address: `tcp/${dial}`, open: 1, idle: 1, waiting: 0 },
    ]);
  });
});
