/** Tests IP address sources with local servers. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { addressSources } from '@sluice/contracts';
import { provision, refusal } from '@sluice/testing';
import { register } from '../src/index.ts';
import { publicAddresses } from '../src/interface/index.ts';
import { findGateway } from '../src/upnp/discovery.ts';

const settings = { register: [register], key: 'source' };
const both = { ipv4: true, ipv6: true };
const soon = (): AbortSignal => AbortSignal.timeout(5_000);

async function addresses(config: JsonObject, wanted = both): Promise<readonly string[]> {
  const { instance, close } = await provision(addressSources, config, settings);
  try {
    return await instance.addresses(wanted, soon());
  } finally {
    await close();
  }
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('dynamic_dns.ip_sources', () => {
  let server: Server;
  let origin: string;
  const asked: string[] = [];
  const description = (control: string): string => `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType>
<deviceList><device><deviceList><device><serviceList>
<service><serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>${control}</controlURL></service>
</serviceList></device></deviceList></device></deviceList></device></root>`;

  before(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${String(request.headers.soapaction ?? '')}`.trim());
      if (request.url === '/four') response.end('192.0.2.7\n');
      else if (request.url === '/text') response.end('<html>');
      else if (request.url === '/root.xml') response.end(description('/control'));
      else if (request.url === '/empty.xml') response.end('<root/>');
      else if (request.url === '/control')
        response.end(
          '<s:Envelope xmlns:s="s"><s:Body><u:GetExternalIPAddressResponse xmlns:u="u"><NewExternalIPAddress>192.0.2.9</NewExternalIPAddress></u:GetExternalIPAddressResponse></s:Body></s:Envelope>',
        );
      else response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void (asked.length = 0));
  after(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });

  it('the IP source simple_http tries its endpoints in order', async () => {
    const endpoints = [`${origin}/broken`, `${origin}/text`, `${origin}/four`, `${origin}/never`];
    expect(await addresses({ source: 'simple_http', endpoints }, { ipv4: true, ipv6: false })).to.deep.equal([
      '192.0.2.7',
    ]);
    expect(asked).to.deep.equal(['GET /broken', 'GET /text', 'GET /four']);
  });

  it('the IP source simple_http returns one IP version if the other version fails, and reports both reasons if both versions fail', async () => {
    expect(await addresses({ source: 'simple_http', endpoints: [`${origin}/four`] })).to.deep.equal(['192.0.2.7']);
    const failure = await failureOf(addresses({ source: 'simple_http', endpoints: [`${origin}/broken`] }));
    expect(failure).to.include('/broken returned status 500');
    expect(await refusal(addressSources, { source: 'simple_http', endpoints: ['host'] }, settings)).to.include(
      'apps.host.module.endpoints[0]: "host" is not a URL',
    );
  });

  it('the IP source static returns the configured addresses', async () => {
    const ips = ['192.0.2.7', '2001:db8::7'];
    expect(await addresses({ source: 'static', ips })).to.deep.equal(ips);
  });

  it('the IP source interface returns the first public address of each IP version', async () => {
    const address = (text: string, family: string, internal = false) => ({ address: text, family, internal });
    const interfaces = {
      eth0: [
        address('192.168.1.2', 'IPv4'),
        address('fe80::1', 'IPv6'),
        address('fd00::1', 'IPv6'),
        address('192.0.2.7', 'IPv4'),
        address('192.0.2.8', 'IPv4'),
        address('2001:db8::7', 'IPv6'),
      ],
      lo: [address('127.0.0.1', 'IPv4', true)],
    };
    expect(publicAddresses('eth0', interfaces)).to.deep.equal(['192.0.2.7', '2001:db8::7']);
    expect(publicAddresses('lo', interfaces)).to.deep.equal([]);
    expect(await failureOf(addresses({ source: 'interface', name: 'none0' }))).to.include('none0 does not exist');
  });

  it('the IP source upnp requests the external address from the gateway', async () => {
    expect(await addresses({ source: 'upnp', endpoint: `${origin}/root.xml` })).to.deep.equal(['192.0.2.9']);
    expect(asked).to.deep.equal([
      'GET /root.xml',
      'POST /control "urn:schemas-upnp-org:service:WANIPConnection:1#GetExternalIPAddress"',
    ]);
    const failure = await failureOf(addresses({ source: 'upnp', endpoint: `${origin}/empty.xml` }));
    expect(failure).to.include('/empty.xml has no external IP address');
  });

  it('the IP source upnp finds a gateway by SSDP', async () => {
    const gateway = createSocket('udp4');
    gateway.on('message', (message, { port, address }) => {
      expect(message.toString()).to.include('MAN: "ssdp:discover"');
      gateway.send('HTTP/1.1 200 OK\r\nST: x\r\nLOCATION: http://127.0.0.1:5000/root.xml\r\n\r\n', port, address);
    });
    gateway.bind(0, '127.0.0.1');
    await once(gateway, 'listening');
    try {
      const found = await findGateway(soon(), { address: '127.0.0.1', port: gateway.address().port });
      expect(found).to.equal('http://127.0.0.1:5000/root.xml');
    } finally {
      gateway.close();
    }
  });
});
