/** The first bytes that clients of different protocols send. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Returns a PostgreSQL startup message with the given parameters. */
export function postgresStartup(parameters: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}\0${value}\0`)
    .join('');
  const body = Buffer.concat([uint32(196_608), Buffer.from(`${text}\0`)]);
  return Buffer.concat([uint32(body.length + 4), body]);
}

/** A PostgreSQL SSLRequest message. */
export const postgresSsl: Buffer = Buffer.concat([uint32(8), uint32(80_877_103)]);

export function dnsQuery(name: string, type: number, kind = 1): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  const tail = Buffer.from([0, type >> 8, type & 0xff, kind >> 8, kind & 0xff]);
  return Buffer.concat([Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), ...labels, tail]);
}

/** Returns a DNS message with the length prefix used over TCP. */
export function dnsOverTcp(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
}

/** Returns the ClientHello that Node sends for a server name and ALPN protocols. */
export async function clientHello(servername: string, protocols: readonly string[]): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', servername, ALPNProtocols: [...protocols] });
  client.on('error', () => undefined);
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(accepted, 'data')) as [Buffer];
  accepted.destroy();
  client.destroy();
  server.close();
  return bytes;
}
