/** A server and its load generator in the soak test of all protocols. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signedCertificate } from '@sluice/testing';
import { freePort } from '@sluice/testing/machine';
import { adminCall } from '../../admin-call.ts';
import { startNative, type Running } from '../../servers.ts';
import { secureHost } from '../../tls/config.ts';
import { processorTime } from '../../processes.ts';
import { secured } from '../../tls/ways.ts';
import { changingBody, protocolConfig, replacedCertificate, replacedHost, type CertificateAndKey } from './config.ts';
import type { Protocol, ProtocolPlan } from './plan.ts';
import { collectedMemory } from '../collected-memory.ts';
import { countLiveObjects } from './live-objects.ts';
import { probeEnvironment, readReports } from './probe-report.ts';
import { ProtocolClient, type ClientCounts } from './protocol-client.ts';

const run = promisify(execFile);
/** Directory of a file system in memory, on Linux. */
const memoryFolder = '/dev/shm';

/** Classes whose objects own memory of OpenSSL or file descriptors. */
const nativeClasses = ['StreamContext', 'StreamSession', 'PolledSocket', 'TlsContext', 'QuicTls', 'Handle'] as const;

/** Number of live objects of each native class. */
export type LiveObjects = Readonly<Record<(typeof nativeClasses)[number], number>>;

/** One measurement of a server. Sizes are in bytes, and CPU times are in seconds. */
export interface Sample {
  readonly minute: number;
  readonly resident: number;
  /** Memory of all threads after garbage collection. */
  readonly collected: number;
  /** Memory that `malloc` has allocated, including the memory of OpenSSL. */
  readonly allocated: number;
  readonly descriptors: number;
  readonly serverSeconds: number;
  readonly clientSeconds: number;
}

export class Served {
  readonly protocol: Protocol;
  readonly samples: Sample[] = [];
  /** Number of changes to the route. */
  changes = 0;
  /** Number of certificate replacements. */
  replacements = 0;
  readonly #server: Running;
  readonly #client: ProtocolClient;
  readonly #folder: string;
  readonly #reports: string;

  private constructor(
    protocol: Protocol,
    server: Running,
    client: ProtocolClient,
    { folder, reports }: { readonly folder: string; readonly reports: string },
  ) {
    this.protocol = protocol;
    this.#server = server;
    this.#client = client;
    this.#folder = folder;
    this.#reports = reports;
  }

  static async start(
    protocol: Protocol,
    name: string,
    command: readonly string[],
    plan: ProtocolPlan,
  ): Promise<Served> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-protocols-'));
    // The threads write their reports synchronously, so they would wait for a busy disk.
    const reports = mkdtempSync(join(existsSync(memoryFolder) ? memoryFolder : tmpdir(), 'sluice-reports-'));
    for (const [file, size] of [
      ['small', 1024],
      ['medium', 100 * 1024],
      ['large', 5 * 1024 * 1024],
    ] as const)
      writeFileSync(join(folder, file), randomBytes(size));
    const upstream = await freePort();
    const config = protocolConfig(protocol, {
      folder,
      log: join(folder, 'log'),
      upstream,
      certificate: await newCertificate(),
      lifetimeSeconds: plan.lifetimeSeconds,
    });
    const probe = probeEnvironment({ folder: reports, intervalSeconds: plan.sampleSeconds });
    const server = await startNative(name, ['env', 'SLUICE_NATIVE_TLS=on', ...probe, ...command], config);
    try {
      await secured(server.port);
      const client = await ProtocolClient.start({
        protocol,
        address: `127.0.0.1:${server.port}`,
        upstream: `127.0.0.1:${upstream}`,
        files: folder,
        hosts: [secureHost, replacedHost],
        kept: plan.kept,
        idleSeconds: plan.idleSeconds,
        rates: plan.rates,
      });
      return new Served(protocol, server, client, { folder, reports });
    } catch (error) {
      await server.stop();
      for (const each of [folder, reports]) rmSync(each, { recursive: true, force: true });
      throw error;
    }
  }

  /** Takes a sample. The threads have measured their memory within the last interval. */
  sample(minute: number): Sample {
    const report = readReports(this.#reports);
    const sample: Sample = {
      minute,
      resident: this.#server.memory() * 1024 * 1024,
      collected: report?.memory ?? 0,
      allocated: report?.allocated ?? 0,
      descriptors: readdirSync(`/proc/${this.#server.pid}/fd`).length,
      serverSeconds: this.#server.processorTime() / 1e6,
      clientSeconds: processorTime(this.#client.pid) / 1e6,
    };
    this.samples.push(sample);
    return sample;
  }

  /** Counts the native objects in all threads, with heap snapshots. They increase the resident memory by hundreds of MiB. */
  async liveObjects(): Promise<LiveObjects> {
    const counts = new Map<string, number>(nativeClasses.map((name) => [name, 0]));
    await collectedMemory(this.#server.admin, '', (snapshot) => {
      if (snapshot.startsWith('{"snapshot"')) countLiveObjects(snapshot, counts);
      else console.error(`${this.protocol}: no heap snapshot: ${snapshot.slice(0, 200)}`);
    });
    return Object.fromEntries(counts) as LiveObjects;
  }

  counts(): Promise<ClientCounts> {
    return this.#client.counts();
  }

  async changeRoute(): Promise<void> {
    const version = `version ${this.changes + 1}`;
    const status = await adminCall(this.#server.admin, 'PATCH', changingBody, version);
    if (status !== 200) throw new Error(`${this.protocol}: changing the route returned status ${status}`);
    this.changes++;
  }

  async replaceCertificate(): Promise<void> {
    const status = await adminCall(this.#server.admin, 'PATCH', replacedCertificate, await newCertificate());
    if (status !== 200) throw new Error(`${this.protocol}: replacing the certificate returned status ${status}`);
    this.replacements++;
  }

  /** Stops the load. Returns the final counts. */
  stopLoad(): Promise<ClientCounts> {
    return this.#client.stop();
  }

  /** Returns the server's warnings and errors. */
  warnings(): string[] {
    return linesOf(join(this.#folder, 'log'));
  }

  async kill(): Promise<void> {
    this.#client.kill();
    await this.#server.stop();
    for (const folder of [this.#folder, this.#reports]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws an error if `build-info` reports that the server can't use the bindings. */
export async function requireBindings(command: readonly string[]): Promise<void> {
  const [program = '', ...args] = [...command, 'build-info'];
  const { stdout } = await run(program, args);
  if (!/^native\ton$/m.test(stdout)) throw new Error(`the OpenSSL bindings are not available:\n${stdout}`);
}

async function newCertificate(): Promise<CertificateAndKey> {
  const { cert, key } = await signedCertificate([replacedHost]);
  return { certificate: cert, key };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
