/** A DNS server for tests that resolves all names to this machine. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as Connection } from 'node:net';
import { freePort } from '../machine.ts';

const types = { A: 1, SOA: 6, TXT: 16 };

/** A zone record in the form used by modules of `dns.providers`. */
interface TextRecord {
  readonly name: string;
  readonly value: string;
}

/** A DNS server that resolves every name to this machine, is authoritative for the zone `sluice.test`, and serves the given TXT records. */
export class NameServer {
  /** TXT record values by fully qualified name without a trailing dot. */
  readonly texts = new Map<string, string[]>();
  readonly #socket: Socket = createSocket('udp4');
  /** TCP server, required because newer versions of Pebble query over TCP. */
  readonly #server: Server = createServer((connection) => this.#serve(connection));

  async start(): Promise<void> {
    this.#socket.on('message', (message, { port }) => this.#socket.send(this.#respond(message), port, '127.0.0.1'));
    // UDP and TCP use the same port, which must be free for both.
    const port = await freePort();
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#socket.bind(port, '127.0.0.1');
    await once(this.#socket, 'listening');
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  append(zone: string, records: readonly TextRecord[]): Promise<void> {
    for (const { name, value } of records) {
      const whole = `${name}.${zone.slice(0, -1)}`;
      this.texts.set(whole, [...(this.texts.get(whole) ?? []), value]);
    }
    return Promise.resolve();
  }

  remove(zone: string, records: readonly TextRecord[]): Promise<void> {
    for (const { name, value } of records) {
      const whole = `${name}.${zone.slice(0, -1)}`;
      const rest = (this.texts.get(whole) ?? []).filter((each) => each !== value);
      if (rest.length > 0) this.texts.set(whole, rest);
      else this.texts.delete(whole);
    }
    return Promise.resolve();
  }

  close(): void {
    this.#socket.close();
    this.#server.close();
  }

  /** Responds to the first message of a connection. A two-byte length precedes the message (RFC 1035 §4.2.2). */
  #serve(connection: Connection): void {
    let received = Buffer.alloc(0);
    connection.on('error', () => connection.destroy());
    connection.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return;
      const response = this.#respond(received.subarray(2));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(response.length);
      connection.end(Buffer.concat([length, response]));
    });
  }

  /** Builds a response that contains the question and one answer per value (RFC 1035 §4). */
  #respond(message: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
      at += length + 1;
    }
    const type = message.readUInt16BE(at + 1);
    const values = this.#values(labels.join('.'), type);
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8580, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(values.length, 6);
    head.writeUInt32BE(0, 8);
    const isUp = values.flatMap((value) => {
      const fields = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, value.length]);
      return [fields, value];
    });
    return Buffer.concat([head, message.subarray(12, at + 5), ...isUp]);
  }

  #values(name: string, type: number): Buffer[] {
    if (type === types.A) return [Buffer.from([127, 0, 0, 1])];
    if (type === types.SOA) return name === 'sluice.test' ? [Buffer.alloc(22)] : [];
    if (type !== types.TXT) return [];
    return (this.texts.get(name) ?? []).map((text) => Buffer.from([text.length, ...Buffer.from(text)]));
  }
}
