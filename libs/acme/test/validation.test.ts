import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo, Server as NetServer } from 'node:net';
import {
  challengeCertificate,
  dnsChallengeValue,
  internet,
  isAcmeProblem,
  NetworkValidator,
  type ChallengeType,
  type Identifier,
  type ValidationNetwork,
} from '@sluice/acme';
import { expect } from 'chai';

const identifier: Identifier = { type: 'dns', value: 'a.example.com' };
const authorization = 'token.thumbprint';

describe('NetworkValidator', () => {
  const open: NetServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function listen(server: NetServer): Promise<number> {
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  const web = (listener: RequestListener): Promise<number> => listen(createServer(listener));

  async function validate(type: ChallengeType, network: Partial<ValidationNetwork>): Promise<string> {
    const lookup: ValidationNetwork['lookup'] = (_, { all }, callback) =>
      all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const validator = new NetworkValidator({ ...internet(), pauses: [10], timeout: 1000, lookup, ...network });
    try {
      await validator.validate({ type, identifier, token: 'token', authorization });
      return 'valid';
    } catch (error) {
      if (isAcmeProblem(error)) return error.type;
      throw error;
    }
  }

  const responses: readonly (readonly [what: string, listener: RequestListener, expected: string])[] = [
    ['the key authorization', (_, response) => response.end(authorization), 'valid'],
    ['the key authorization with trailing whitespace', (_, response) => response.end(`${authorization}\r\n `), 'valid'],
    ['a different string', (_, response) => response.end('token.other'), 'incorrectResponse'],
    ['a 404', (_, response) => response.writeHead(404).end(authorization), 'incorrectResponse'],
    ['too large', (_, response) => response.end('x'.repeat(100_000)), 'connection'],
    ['missing', (request) => request.socket.destroy(), 'connection'],
    [
      'a redirect to itself',
      (request, response) => response.writeHead(302, { location: request.url }).end(),
      'connection',
    ],
    [
      'a redirect to another port',
      (_, response) => response.writeHead(302, { location: 'http://a.example.com:22/' }).end(),
      'connection',
    ],
    [
      'a redirect to a file URL',
      (_, response) => response.writeHead(302, { location: 'file:///etc/hostname' }).end(),
      'connection',
    ],
  ];
  for (const [what, listener, expected] of responses)
    it(`NetworkValidator returns ${expected} for http-01 if the response is ${what}`, async () => {
      expect(await validate('http-01', { httpPort: await web(listener) })).to.equal(expected);
    });

  it("NetworkValidator requests the http-01 file from the name's host and follows a redirect", async () => {
    const asked: string[] = [];
    const httpPort = await web(({ headers, url = '' }, response) => {
      asked.push(`${headers.host?.split(':')[0] ?? ''} ${url}`);
      if (url !== '/elsewhere')
        response.writeHead(301, { location: `http://b.example.com:${httpPort}/elsewhere` }).end();
      else response.end(authorization);
    });
    expect(await validate('http-01', { httpPort })).to.equal('valid');
    expect(asked).to.deep.equal(['a.example.com /.well-known/acme-challenge/token', 'b.example.com /elsewhere']);
  });

  it('NetworkValidator retries if no server is listening yet', async () => {
    const httpPort = await web((_, response) => response.end(authorization));
    let attempts = 0;
    const lookup: ValidationNetwork['lookup'] = (_, { all }, callback) => {
      const address = ++attempts === 1 ? '127.255.255.1' : '127.0.0.1';
      return all === true ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4);
    };
    expect(await validate('http-01', { httpPort, lookup })).to.equal('valid');
    expect(attempts).to.equal(2);
  });

  const handshakes: readonly (readonly [
    what: string,
    name: string,
    text: string,
    protocol: string,
    expected: string,
  ])[] = [
    ['correct', 'a.example.com', authorization, 'acme-tls/1', 'valid'],
    ['for another name', 'b.example.com', authorization, 'acme-tls/1', 'incorrectResponse'],
    ['for another account key', 'a.example.com', 'token.other', 'acme-tls/1', 'incorrectResponse'],
    ['served with another ALPN protocol', 'a.example.com', authorization, 'http/1.1', 'connection'],
  ];
  for (const [what, name, text, protocol, expected] of handshakes)
    it(`NetworkValidator returns ${expected} for tls-alpn-01 if the certificate is ${what}`, async () => {
      const { chain: cert, key } = await challengeCertificate({ type: 'dns', value: name }, text);
      const server = createTlsServer({ cert, key, ALPNProtocols: [protocol] }, (socket) => socket.end());
      expect(await validate('tls-alpn-01', { tlsPort: await listen(server) })).to.equal(expected);
    });

  const records: readonly (readonly [what: string, resolve: () => Promise<string[]>, expected: string])[] = [
    ['one of several', () => Promise.resolve(['other', dnsChallengeValue(authorization)]), 'valid'],
    ['missing', () => Promise.resolve(['other']), 'incorrectResponse'],
    ['not resolvable', () => Promise.reject(new Error('queryTxt ENOTFOUND')), 'dns'],
  ];
  for (const [what, resolveText, expected] of records)
    it(`NetworkValidator returns ${expected} for dns-01 if the record is ${what}`, async () => {
      expect(await validate('dns-01', { resolveText })).to.equal(expected);
    });
});
