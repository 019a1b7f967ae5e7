import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { upstreamSources, type UpstreamSource } from '@sluice/http-app';
import type { JsonObject } from '@sluice/base';
import { makeExchange, provision } from '@sluice/testing';
import { register } from '@sluice/http.reverse_proxy';
import { DnsServer } from './dns-server.ts';

describe('http.reverse_proxy.upstreams', () => {
  const opened: { close(): Promise<void> }[] = [];
  let dns: DnsServer;

  beforeEach(async () => {
    dns = await new DnsServer().open();
    opened.push(dns);
  });

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  async function source(config: JsonObject): Promise<UpstreamSource> {
    const made = await provision(upstreamSources, config, { register: [register], key: 'source' });
    opened.push(made);
    return made.instance;
  }

  const resolver = (): JsonObject => ({ addresses: [`127.0.0.1:${dns.port}`] });
  const exchange = makeExchange({ host: 'up.test:80' });

  it('the upstream source "a" finds IPv4 and IPv6 addresses, and repeats the query when the addresses are stale', async () => {
    dns.zone.set('A up.test', ['10.0.0.1', '10.0.0.2']);
    dns.zone.set('AAAA up.test', ['00000000000000000000000000000001']);
    const a = await source({
      source: 'a',
      name: '{http.request.host}',
      port: '{http.request.port}',
      refresh: '100ms',
      resolver: resolver(),
    });
    const first = await a.upstreams(exchange);
    expect(first).to.deep.equal(['10.0.0.1:80', '10.0.0.2:80', '[::1]:80']);
    expect(a.upstreams(exchange)).to.equal(first);
    expect(dns.asked.length).to.equal(2);
    dns.zone.set('A up.test', ['10.0.0.3']);
    await sleep(120);
    const [renewed, same] = await Promise.all([a.upstreams(exchange), a.upstreams(exchange)]);
    expect(renewed).to.deep.equal(['10.0.0.3:80', '[::1]:80']);
    expect(same).to.equal(renewed);
    expect(dns.asked.length).to.equal(4);
  });

  const versions: readonly [versions: JsonObject | null, expected: readonly string[]][] = [
    [null, ['10.0.0.1:80', '[::1]:80']],
    [{ ipv4: true }, ['10.0.0.1:80']],
    [{ ipv6: true }, ['[::1]:80']],
    [{ ipv4: true, ipv6: true }, ['10.0.0.1:80', '[::1]:80']],
  ];
  for (const [kinds, expected] of versions) {
    it(`the upstream source "a" returns these record types: ${JSON.stringify(kinds)}`, async () => {
      dns.zone.set('A up.test', ['10.0.0.1']);
      dns.zone.set('AAAA up.test', ['00000000000000000000000000000001']);
      const a = await source({ source: 'a', name: 'up.test', resolver: resolver(), versions: kinds });
      expect(await a.upstreams(exchange)).to.deep.equal(expected);
    });
  }

  it('the upstream source "a" uses the system resolver if no name server is configured', async () => {
    const a = await source({ source: 'a', name: 'localhost', port: '8080', versions: { ipv4: true } });
    expect(await a.upstreams(exchange)).to.deep.equal(['127.0.0.1:8080']);
  });

  it('the upstream source "a" fails for nonexistent names', async () => {
    for (const name of ['none.test', '']) {
      const a = await source({ source: 'a', name, resolver: resolver() });
      expect(await Promise.resolve(a.upstreams(exchange)).catch((error: Error) => error)).to.be.instanceOf(Error);
    }
  });

  it('the upstream source "srv" finds targets by priority', async () => {
    dns.zone.set('SRV _app._tcp.up.test', ['20 1 8002 two.test', '10 5 8001 one.test']);
    const srv = await source({
      source: 'srv',
      service: 'app',
      proto: 'tcp',
      name: '{http.request.host}',
      resolver: resolver(),
      dial_network: 'tcp4',
    });
    expect(await srv.upstreams(exchange)).to.deep.equal(['tcp4/one.test:8001', 'tcp4/two.test:8002']);
  });

  it('the upstream source "srv" accepts a complete SRV name, and keeps stale targets for the grace period', async () => {
    dns.zone.set('SRV all.up.test', ['1 1 81 one.test']);
    const srv = await source({
      source: 'srv',
      name: 'all.up.test',
      refresh: '50ms',
      grace_period: '10s',
      resolver: resolver(),
    });
    const first = await srv.upstreams(exchange);
    expect(first).to.deep.equal(['one.test:81']);
    dns.zone.clear();
    await sleep(60);
    expect(await srv.upstreams(exchange)).to.equal(first);
  });

  it('the upstream source "multi" combines its sources, except for those that fail', async () => {
    dns.zone.set('A up.test', ['10.0.0.1']);
    dns.zone.set('A two.test', ['10.0.0.2']);
    const of = (name: string): JsonObject => ({ source: 'a', name, resolver: resolver(), versions: { ipv4: true } });
    const multi = await source({ source: 'multi', sources: [of('up.test'), of('none.test'), of('two.test')] });
    expect(await multi.upstreams(exchange)).to.deep.equal(['10.0.0.1:80', '10.0.0.2:80']);
    const two = await source({ source: 'multi', sources: [of('up.test'), of('two.test')] });
    const first = await two.upstreams(exchange);
    expect(two.upstreams(exchange)).to.equal(first);
  });
});
