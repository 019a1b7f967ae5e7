/** Runs Pebble, an ACME CA for tests, with a DNS server for the names used in tests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, freePort } from '../machine.ts';
import { throwAwayCertificate } from '../throw-away-certificate.ts';
import { NameServer } from './name-server.ts';

const command = commandOf('pebble');

/** True if Pebble is installed. */
export const hasPebble: boolean = command !== null;

/** A running Pebble instance. Close it at the end of the test. */
export interface Pebble {
  readonly directory: string;
  /** File with the root certificate of Pebble's own HTTPS server. */
  readonly rootFile: string;
  /** Port on which Pebble validates challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  readonly names: NameServer;
  /** Common names of the root certificates to which issued certificates chain. */
  readonly roots: readonly string[];
  /** Returns the number of orders since Pebble started. */
  orders(): number;
  /** Restarts Pebble and discards its state. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts Pebble with additional settings and environment variables. `dnsServer` is the address of the DNS server. Default: a server that
 * resolves all names to this machine.
 */
export async function startPebble(
  settings: object = {},
  environment: NodeJS.ProcessEnv = {},
  dnsServer: string | null = null,
): Promise<Pebble> {
  if (command === null) throw new Error('pebble is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pebble-'));
  const { cert, key } = await throwAwayCertificate(['localhost']);
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
    certificate: write('server.crt', cert),
    privateKey: write('server.key', key),
    httpPort,
    tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    ...settings,
  };
  const names = new NameServer();
  await names.start();
  const args = [
    '-config',
    write('pebble.json', JSON.stringify({ pebble: config })),
    '-dnsserver',
    dnsServer ?? names.address,
  ];
  const directory = `https://localhost:${port}/dir`;
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', ...environment };
  let orders = 0;
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    orders = 0;
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('Added order')) orders++;
    });
    await isUp(directory, cert, child);
    return child;
  };
  let running = await launch();
  return {
    directory,
    rootFile: write('root.crt', cert),
    httpPort,
    tlsPort,
    names,
    roots: await rootsOf(management, cert),
    orders: () => orders,
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

/** Returns the common names of the root certificates, read from Pebble's management interface. */
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
