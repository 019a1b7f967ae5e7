/** Runs DNS servers that accept dynamic updates: BIND and Knot. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, freePort } from '../machine.ts';

/** Kinds of DNS servers, with the command that starts each. */
const commands = {
  bind: commandOf('named', ['/usr/sbin']),
  knot: commandOf('knotd', ['/usr/sbin']),
};

export type DnsServerKind = keyof typeof commands;

export function hasDnsServer(kind: DnsServerKind): boolean {
  return commands[kind] !== null;
}

/** A running DNS server with one zone. Close it at the end of the test. */
export interface DnsServer {
  readonly zone: string;
  readonly address: string;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string };
  readonly resolver: Resolver;
  close(): Promise<void>;
}

export interface DnsServerOptions {
  /** Default: `example.test`. */
  readonly zone?: string;
  /** Additional lines of the zone file. */
  readonly records?: readonly string[];
  /** Address to listen on, at a free port. Default: 127.0.0.1. */
  readonly host?: string;
  readonly port?: number;
  /** Default: `hmac-sha256`. */
  readonly algorithm?: string;
}

/** Starts a DNS server that is authoritative for one zone. It accepts updates and transfers signed with its key. */
export async function startDnsServer(kind: DnsServerKind, options: DnsServerOptions = {}): Promise<DnsServer> {
  const command = commands[kind];
  if (command === null) throw new Error(`${kind} is not installed`);
  const { zone = 'example.test', records = [], host = '127.0.0.1', algorithm = 'hmac-sha256' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-dns-'));
  const port = options.port ?? (await freePort());
  const key = { name: 'sluice-key', algorithm, secret: randomBytes(32).toString('base64') };
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, `${zone}.zone`), zoneFile(zone, records, host));
  const file = join(folder, 'server.conf');
  writeFileSync(file, (kind === 'bind' ? bindConfiguration : knotConfiguration)({ folder, zone, host, port, key }));
  const args = kind === 'bind' ? ['-g', '-4', '-n', '1', '-c', file] : ['-c', file];
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`${host}:${port}`]);
  const close = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true });
  };
  try {
    await isUp(resolver, zone, child);
  } catch (error) {
    await close();
    throw new Error(`${kind} does not respond: ${output}`, { cause: error });
  }
  return { zone, address: `${host}:${port}`, key, resolver, close };
}

interface Settings {
  readonly folder: string;
  readonly zone: string;
  readonly host: string;
  readonly port: number;
  readonly key: DnsServer['key'];
}

function zoneFile(zone: string, records: readonly string[], host: string): string {
  return [
    `$ORIGIN ${zone}.`,
    '$TTL 60',
    `@ IN SOA ns1.${zone}. admin.${zone}. 1 60 60 600 1`,
    `@ IN NS ns1.${zone}.`,
    `ns1 IN A ${host}`,
    ...records,
    '',
  ].join('\n');
}

function bindConfiguration({ folder, zone, host, port, key }: Settings): string {
  return `
options {
  directory "${folder}";
  pid-file "${folder}/run/named.pid";
  session-keyfile "${folder}/run/session.key";
  listen-on port ${port} { ${host}; };
  listen-on-v6 { none; };
  recursion no;
  notify no;
  dnssec-validation no;
  allow-transfer { key "${key.name}"; };
};
controls { };
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
zone "${zone}" { type primary; file "${folder}/${zone}.zone"; allow-update { key "${key.name}"; }; };
`;
}

function knotConfiguration({ folder, zone, host, port, key }: Settings): string {
  return `
server:
  rundir: "${folder}/run"
  listen: ${host}@${port}
log:
  - target: stderr
    any: info
database:
  storage: "${folder}"
key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret}
acl:
  - id: updates
    key: ${key.name}
    action: [update, transfer]
template:
  - id: default
    storage: "${folder}"
    semantic-checks: false
zone:
  - domain: ${zone}
    file: "${zone}.zone"
    acl: updates
`;
}

async function isUp(resolver: Resolver, zone: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    try {
      await resolver.resolveSoa(zone);
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`no response to a query for ${zone}`);
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}
