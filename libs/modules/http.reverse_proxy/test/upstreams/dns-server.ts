import { createSocket, type Socket } from 'node:dgram';

/** DNS records by question: `A name`, `AAAA name` or `SRV name`. */
export type Zone = Map<string, readonly string[]>;

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA', 33: 'SRV' };

/** A DNS server for tests. It returns the records of the zone without caching or name compression. */
export class DnsServer {
  readonly zone: Zone = new Map();
  readonly asked: string[] = [];
  readonly #socket: Socket = createSocket('udp4');
  port = 0;

  async open(): Promise<this> {
    this.#socket.on('message', (query, from) => this.#socket.send(this.#respond(query), from.port, from.address));
    await new Promise<void>((resolve) => void this.#socket.bind(0, '127.0.0.1', resolve));
    this.port = this.#socket.address().port;
    return this;
  }

  close(): Promise<void> {
    return new Promise((resolve) => void this.#socket.close(() => resolve()));
  }

  #respond(query: Buffer): Buffer {
    let at = 12;
    const labels: string[] = [];
    for (let length = query[at] as number; length > 0; length = query[at] as number) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const question = query.subarray(12, at + 5);
    const type = query.readUInt16BE(at + 1);
    const key = `${types[type] ?? type} ${labels.join('.').toLowerCase()}`;
    this.asked.push(key);
    const records = this.zone.get(key);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(records === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(records?.length ?? 0, 6);
    head.fill(0, 8);
    return Buffer.concat([head, question, ...(records ?? []).map((record) => this.#record(type, record))]);
  }

  #record(type: number, text: string): Buffer {
    const data = dataOf(type, text);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(1, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  }
}

function dataOf(type: number, text: string): Buffer {
  if (type === 1) return Buffer.from(text.split('.').map(Number));
  if (type === 28) return Buffer.from(text, 'hex');
  const [priority, weight, port, name = ''] = text.split(' ');
  const numbers = Buffer.alloc(6);
  for (const [i, value] of [priority, weight, port].entries()) numbers.writeUInt16BE(Number(value), i * 2);
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([numbers, ...labels, Buffer.from([0])]);
}
