import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { register as registerHandlers } from '@sluice/http.handlers';
import { register } from '@sluice/http.ip_sources';
import { request, withRoutes } from '@sluice/testing';

/** Returns the client IP that a server with the given trusted proxies determines. */
async function clientOf(source: Record<string, Json>, remoteAddress: string): Promise<string> {
  const routes = [{ handle: [{ handler: 'static_response', body: '{http.vars.client_ip}' }] }];
  const config = withRoutes(routes, { trusted_proxies: { source: 'static', ...source } });
  const what = { headers: { 'X-Forwarded-For': '5.6.7.8' }, connection: { remoteAddress } };
  return (await request(config, what, { register: [registerHandlers, register] })).text;
}

describe('http.ip_sources.static', () => {
  it('the static IP source identifies trusted proxies', async () => {
    const source = { ranges: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'] };
    for (const peer of ['10.1.2.3', 'fd00::1', '192.0.2.1']) expect(await clientOf(source, peer)).to.equal('5.6.7.8');
    for (const peer of ['11.0.0.1', 'fe80::1', '192.0.2.2']) expect(await clientOf(source, peer)).to.equal(peer);
  });

  it('the static IP source without ranges trusts no address', async () => {
    expect(await clientOf({}, '10.0.0.1')).to.equal('10.0.0.1');
    expect(await clientOf({ ranges: null }, '10.0.0.1')).to.equal('10.0.0.1');
    expect(await clientOf({ ranges: [] }, '10.0.0.1')).to.equal('10.0.0.1');
  });

  it('the static IP source expands placeholders that do not depend on a request', async () => {
    process.env['SLUICE_TEST_PROXY'] = '10.0.0.0/8';
    try {
      expect(await clientOf({ ranges: ['{env.SLUICE_TEST_PROXY}'] }, '10.0.0.1')).to.equal('5.6.7.8');
    } finally {
      delete process.env['SLUICE_TEST_PROXY'];
    }
  });

  it('the static IP source rejects invalid ranges and reports their paths', async () => {
    const message = await clientOf({ ranges: ['10.0.0.0/8', 'nope'] }, '10.0.0.1').then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).to.match(/servers\.s\.trusted_proxies\.ranges: \[1\]: "nope"/);
  });
});
