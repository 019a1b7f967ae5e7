import { expect } from 'chai';
import { NameSet } from '@sluice/contracts';
import type { Context } from '@sluice/registry';
import type { NetworkAddress } from '@sluice/base';
import { redirectTable } from '../../src/automatic-https/wire.ts';
import type { Server } from '../../src/server/server.ts';

const ports = { http: 80, https: 443 };
const context = { appIfRegistered: () => Promise.resolve({ isLoaded: () => false }) } as unknown as Context;

/** Returns a server with a host name and the given ports. */
function server(name: string, ...on: readonly number[]): Server {
  const hosts = NameSet.of([name]);
  const networkAddresses = on.map(
    (port) => ({ network: 'tcp', host: '', startPort: port, endPort: port, mode: null }) satisfies NetworkAddress,
  );
  const certificates = { names: hosts, ignoreLoaded: false };
  return { networkAddresses, security: { automatic: { redirects: true, hosts, certificates } } } as unknown as Server;
}

describe('automatic HTTPS redirects', () => {
  // Expected results, as returned by Caddy.
  const rows: readonly [what: string, servers: readonly Server[], port: number][] = [
    ['the HTTPS port of a server, regardless of its position in the list', [server('a.test', 8443, 443)], 443],
    ['the first port of a server that does not listen on the HTTPS port', [server('a.test', 8444, 8443)], 8444],
    ['a port other than the HTTP port', [server('a.test', 80, 8443)], 8443],
    [
      'the server on the HTTPS port if several servers have the name',
      [server('a.test', 8443), server('a.test', 443)],
      443,
    ],
    ['the first server if none listens on the HTTPS port', [server('a.test', 8445), server('a.test', 8444)], 8445],
  ];
  for (const [what, servers, port] of rows)
    it(`an HTTPS redirect goes to ${what}`, async () => {
      const table = await redirectTable(servers, ports, context);
      expect(table?.targets.find(({ hosts }) => hosts.has('a.test'))?.port).to.equal(port);
    });
});
