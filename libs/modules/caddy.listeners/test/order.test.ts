import { expect } from 'chai';
import { get, portOf, serveWith, talk } from './support.ts';

const header = 'PROXY TCP4 10.1.2.3 10.9.9.9 1111 443\r\n';
const named = (...names: readonly string[]): { wrapper: string; fallback_policy?: string }[] =>
  names.map((wrapper) => (wrapper === 'proxy_protocol' ? { wrapper, fallback_policy: 'USE' } : { wrapper }));

describe('order of listener wrappers', () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [['tls'], 'listener_wrappers[0]: "tls" is first'],
    [['tls', 'proxy_protocol'], 'listener_wrappers[0]: "tls" is first'],
    [['proxy_protocol', 'tls', 'tls'], 'listener_wrappers[2]: duplicate "tls", already at [1]'],
    [['proxy_protocol', 'tls', 'http_redirect'], 'listener_wrappers[2]: "http_redirect" must be before "tls"'],
    [['http_redirect', 'tls', 'proxy_protocol'], 'listener_wrappers[2]: "proxy_protocol" must be before "tls"'],
    [['nope'], 'caddy.listeners.nope'],
  ];
  for (const [names, message] of wrong) {
    it(`the order ${names.join(', ')} of listener wrappers is rejected`, async () => {
      const error = await serveWith(named(...names)).catch((reason: Error) => reason);
      expect((error as Error).message).to.include(message);
    });
  }

  it('a listener wrapper without a name is rejected', async () => {
    const error = await serveWith([{}]).catch((reason: Error) => reason);
    expect((error as Error).message).to.include('"wrapper"');
  });

  it('listener wrappers process bytes in their configured order', async () => {
    for (const names of [
      ['proxy_protocol', 'http_redirect', 'tls'],
      ['http_redirect', 'proxy_protocol', 'tls'],
    ]) {
      const server = await serveWith(named(...names));
      expect(await talk(portOf(server), get)).to.match(/^HTTP\/1\.1 308/);
      // An HTTP redirect wrapper receives plaintext requests only at its position in the wrapper order.
      expect(await talk(portOf(server), header + get)).to.match(
        names[0] === 'http_redirect' ? /10\.1\.2\.3:1111/ : /^HTTP\/1\.1 308/,
      );
      await server.close();
    }
  });
});
