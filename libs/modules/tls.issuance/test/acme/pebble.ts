/** Pebble, a CA for tests, where this machine has it, with a name server that knows what a test needs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testing';
import type { DnsProvider } from '@sluice/tls-app';
import { makeServerCertificate } from './support.ts';

const types = { A: 1, SOA: 6, TXT: 16 };

/** Responds that every name is this machine, that `sluice.test` is a zone, and the texts that it was given. */
export class NameServer implements DnsProvider {
  /** By whole name without a dot at the end. */
  readonly texts = new Map<string, string[]>();
  readonly #socket: Socket = createSocket('udp4');

  async start(): Promise<void> {
    this.#socket.on('message', (message, { port }) => this.#socket.send(this.#respond(message), port, '127.0.0.1'));
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  append(zone: string, records: Parameters<DnsProvider['append']>[1]): Promise<void> {
    for (const { name, value } of records) {
      const whole = `${name}.${zone.slice(0, -1)}`;
      this.texts.set(whole, [...(this.texts.get(whole) ?? []), value]);
    }
    return Promise.resolve();
  }

  remove(zone: string, records: Parameters<DnsProvider['remove']>[1]): Promise<void> {
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
  }

  /** RFC 1035 §4: the question again, and a response for each value. */
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

/** A running Pebble. Close it at the end. */
export interface Pebble {
  readonly directory: string;
  /** File with the root of its own server's certificate. */
  readonly rootFile: string;
  /** Where it looks for challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  readonly names: NameServer;
  /** Common names of the roots that its certificates may lead to. */
  readonly roots: readonly string[];
  /** Starts it again; it forgets everything. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts Pebble with further settings and environment. */
export async function startPebble(
  command: string,
  settings: object = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pebble-'));
  const { chain, key, root } = await makeServerCertificate('localhost');
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [port, management, httpPort, tlsPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: write('server.crt', chain),
    privateKey: write('server.key', key),
    httpPort,
    tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    ...settings,
  };
  const names = new NameServer();
  await names.start();
  const args = ['-config', write('pebble.json', JSON.stringify({ pebble: config })), '-dnsserver', names.address];
  const directory = `https://localhost:${port}/dir`;
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', ...environment };
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(command, args, { env, stdio: 'ignore' });
    await isUp(directory, root, child);
    return child;
  };
  let running = await launch();
  return {
    directory,
    rootFile: write('root.crt', root),
    httpPort,
    tlsPort,
    names,
    roots: await rootsOf(management, root),
    async restart() {
      await stop(running);
      running = await launch();
    },
    async close() {
      await stop(running);
      names.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

async function isUp(directory: string, ca: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const responded = await new Promise<boolean>((resolve) => {
      const request = get(directory, { ca, agent: false }, (response) => resolve(response.resume() === response));
      request.on('error', () => resolve(false));
    });
    if (responded) return;
    await sleep(50);
  }
  throw new Error(`${child.spawnfile} does not respond`);
}

/** Common names of the roots, as its management says. */
async function rootsOf(port: number, ca: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const index of [0, 1]) {
    const pem = await new Promise<string>((resolve, reject) => {
      let text = '';
      const request = get(`https://localhost:${port}/roots/${index}`, { ca, agent: false }, (response) => {
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(response.statusCode === 200 ? text : ''));
      });
      request.on('error', reject);
    });
    if (pem !== '') names.push(/CN=(.*)/.exec(new X509Certificate(pem).subject)?.[1] ?? '');
  }
  return names;
}
