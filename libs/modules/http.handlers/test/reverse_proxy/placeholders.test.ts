import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { deadAddress, httpUpstream, Opened, proxyTo, serving } from './support.ts';

/** Placeholders in the order of Caddy's documentation, followed by two undocumented ones. */
const names = [
  'upstream.address',
  'upstream.hostport',
  'upstream.host',
  'upstream.port',
  'upstream.requests',
  'upstream.max_requests',
  'upstream.fails',
  'upstream.latency',
  'upstream.latency_ms',
  'upstream.duration',
  'upstream.duration_ms',
  'duration',
  'duration_ms',
  'retries',
  'status_code',
  'status_text',
];

const duration = /^\d+(?:\.\d+)?(?:µs|ms|s)$/;
const milliseconds = /^\d+(?:\.\d+)?$/;

describe('http.handlers.reverse_proxy: placeholders', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  /** Returns response header fields whose values are the given placeholders. */
  function fieldsOf(prefix: string): JsonObject {
    return Object.fromEntries(names.map((name) => [`${prefix}${name}`, [`{http.reverse_proxy.${name}}`]]));
  }

  it('proxy placeholders describe the selected upstream and its response, during and after the attempt', async () => {
    let sent: Record<string, string | string[] | undefined> = {};
    const upstream = opened.add(
      await httpUpstream((request, response) => {
        sent = request.headers;
        setTimeout(() => response.writeHead(202).end(), 20);
      }),
    );
    const [host, port] = upstream.dial.split(':');
    const later = { handler: 'headers', response: { deferred: true, set: fieldsOf('After-') } };
    const proxy = opened.add(
      await serving([
        later,
        proxyTo([await deadAddress(), upstream.dial], {
          load_balancing: { selection_policy: { policy: 'first' }, retries: 1 },
          health_checks: { passive: { fail_duration: '1m', max_fails: 9, unhealthy_latency: '10ms' } },
          headers: { request: { set: fieldsOf('Before-') }, response: { set: fieldsOf('Response-') } },
        }),
      ]),
    );
    const { status, headers } = await proxy.request('/');
    expect(status).to.equal(202);
    const read = (prefix: string): Record<string, string | undefined> =>
      Object.fromEntries(
        names.map((name) => [
          name,
          prefix === 'before-' ? String(sent[prefix + name]) : headers.get(`${prefix}${name}`),
        ]),
      );
    const place = {
      'upstream.address': `tcp/${upstream.dial}`,
      'upstream.hostport': upstream.dial,
      'upstream.host': host,
      'upstream.port': port,
      'upstream.requests': '0',
      'upstream.max_requests': '0',
      retries: '1',
    };
    expect(read('before-')).to.include({
      ...place,
      'upstream.fails': '0',
      status_code: '{http.reverse_proxy.status_code}',
    });
    for (const prefix of ['response-', 'after-']) {
      const values = read(prefix);
      expect(values, prefix).to.include({
        ...place,
        'upstream.fails': '1',
        status_code: '202',
        status_text: '202 Accepted',
      });
      for (const name of ['upstream.latency', 'duration']) expect(values[name], prefix + name).to.match(duration);
      for (const name of ['upstream.latency_ms', 'duration_ms']) {
        expect(values[name], prefix + name).to.match(milliseconds);
        expect(Number(values[name])).to.be.greaterThan(15);
      }
    }
  });

  it('proxy placeholders are unknown if no proxy has handled the request', async () => {
    const response = { set: { 'X-A': ['{http.reverse_proxy.upstream.address}'] } };
    const proxy = opened.add(await serving([{ handler: 'headers', response }, { handler: 'static_response' }]));
    expect((await proxy.request('/')).headers.get('x-a')).to.equal('{http.reverse_proxy.upstream.address}');
  });
});
