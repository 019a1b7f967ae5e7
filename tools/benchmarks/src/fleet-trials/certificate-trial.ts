/**
 * Fleet trial of certificates on shared storage. Two members need the same certificates of a CA. Without faults, they order each
 * certificate once. Then, one run at a time, the lock owner is suspended for three times the lock's lifetime and resumed. The suspension
 * takes place during the order or between the owner's writes. Data that the other member stored in the meantime must remain. Each
 * certificate must match its key, and both members must serve it. The CA validates the challenges at a third member.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '@sluice/base';
import { storageToken, type Storage } from '@sluice/contracts';
import { hasPebble, freePort, serve, startPebble, type Pebble } from '@sluice/testing';
import { Holder } from './certificates/holder.ts';
import type { Told } from './certificates/stopping-storage.ts';
import type { CertificateStore } from './certificates/stores.ts';
import { Random } from './random.ts';
import { until } from './until.ts';

export interface CertificatePlan {
  readonly seed: number;
  /** Number of names that both members request concurrently while no faults are injected. */
  readonly names: number;
  readonly stops: number;
}

/** Parameters of the full certificate trial. */
export const fullCertificatePlan: CertificatePlan = { seed: 1, names: 20, stops: 100 };

export interface CertificateReport {
  /** Number of names that both members requested, and number of orders that the CA received for these names. */
  readonly wanted: number;
  readonly ordered: number;
  /** Number of locks that were lost because the machine was busy, not because of a suspension. Each lost lock may cause an additional order. */
  readonly lost: number;
  /** Number of suspended lock owners, number of owners that had lost their lock when resumed, and number of their rejected writes. */
  readonly stopped: number;
  readonly overtaken: number;
  readonly refused: number;
  /**
   * Number of orders for the names of these runs. There is one order per name, or two if the first lock owner was suspended before it
   * stored anything.
   */
  readonly orderedAgain: number;
  readonly problems: readonly string[];
}

/** Runs the certificate trial on a storage. The storage keeps running after the trial. Returns `null` if no CA is installed. */
export async function tryCertificates(
  store: CertificateStore,
  plan: CertificatePlan,
): Promise<CertificateReport | null> {
  if (!hasPebble) return null;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-stops-'));
  const pebble = await startPebble({}, { PEBBLE_AUTHZREUSE: '0', PEBBLE_WFE_NONCEREJECT: '0' });
  const asked = await serve(askedConfig(store, pebble), { standard: true, register: [] });
  const storage = asked.runtime.app(storageToken) as Storage;
  const holders: Holder[] = [];
  try {
    for (let i = 0; i < 2; i++) {
      const port = await freePort();
      holders.push(await Holder.start(port, await holderConfig(store, pebble, { port, folder })));
    }
    return await new Trial({ store, plan, pebble, storage, holders }).run();
  } finally {
    for (const holder of holders) await holder.stop();
    await asked.close();
    await pebble.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the configuration of the third member, which the CA contacts for challenges. This member manages no certificates. */
function askedConfig({ config }: CertificateStore, pebble: Pebble): Json {
  const s = { listen: [`127.0.0.1:${pebble.httpPort}`], automatic_https: { disable: true } };
  return { storage: config, apps: { http: { servers: { s } }, tls: automation(pebble, 1) } };
}

async function holderConfig(
  { config, span }: CertificateStore,
  pebble: Pebble,
  { port, folder }: { readonly port: number; readonly folder: string },
): Promise<Json> {
  const s = {
    listen: [`127.0.0.1:${port}`],
    automatic_https: { disable: true },
    tls_connection_policies: [{}],
  };
  const tls: JsonObject = { ...automation(pebble, await freePort()), certificates: { automate: [] } };
  return { storage: { module: 'stopping', storage: config, span, folder }, apps: { http: { servers: { s } }, tls } };
}

function automation(pebble: Pebble, port: number): JsonObject {
  const issuer = {
    module: 'acme',
    ca: pebble.directory,
    trusted_roots_pem_files: [pebble.rootFile],
    challenges: { http: { alternate_port: port }, 'tls-alpn': { disabled: true } },
  };
  return { automation: { policies: [{ issuers: [issuer] }] } };
}

interface TrialParts {
  readonly store: CertificateStore;
  readonly plan: CertificatePlan;
  readonly pebble: Pebble;
  readonly storage: Storage;
  readonly holders: readonly Holder[];
}

class Trial {
  readonly #parts: TrialParts;
  readonly #random: Random;
  readonly #problems: string[] = [];
  /** Fingerprint of each name's final certificate, which must not change. */
  readonly #stored = new Map<string, string>();
  #stopped = 0;
  #overtaken = 0;

  constructor(parts: TrialParts) {
    this.#parts = parts;
    this.#random = new Random(parts.plan.seed);
  }

  async run(): Promise<CertificateReport> {
    const { plan, pebble, holders, store } = this.#parts;
    const names = Array.from({ length: plan.names }, (_, i) => `both-${i}.sluice.test`);
    for (const name of names) for (const holder of holders) holder.want(name);
    for (const name of names) await this.#settled(name);
    const ordered = pebble.orders();
    const excused = this.#losses((name) => name.startsWith('issue_cert_both-'));
    if (ordered < names.length || ordered > names.length + excused)
      this.#problems.push(`${names.length} names were ordered ${ordered} times, and ${excused} locks were lost`);
    for (let i = 0; i < plan.stops; i++) await this.#stop(`stop${i % (store.writes + 1)}-${i}.sluice.test`);
    for (const [name, fingerprint] of this.#stored) {
      const now = await this.#read(name).catch(String);
      if (now !== fingerprint) this.#problems.push(`${name}: ${fingerprint} was stored, but is now ${now}`);
    }
    const refused = holders.flatMap(({ told: reported }) => reported.filter((each) => 'refused' in each));
    return {
      wanted: names.length,
      ordered,
      lost: excused,
      stopped: this.#stopped,
      overtaken: this.#overtaken,
      refused: refused.length,
      orderedAgain: pebble.orders() - ordered,
      problems: this.#problems,
    };
  }

  /** Runs one suspension. */
  async #stop(name: string): Promise<void> {
    const { holders, pebble, store } = this.#parts;
    const lock = `issue_cert_${name}`;
    const before = pebble.orders();
    for (const holder of holders) holder.want(name);
    const selfStopping = !name.startsWith('stop0-');
    const first = await this.#firstTo(selfStopping ? { stops: lock } : { holds: lock }, name);
    if (!selfStopping) {
      await sleep(this.#random.below(600));
      first.signal('SIGSTOP');
    }
    this.#stopped++;
    await sleep(3 * store.span);
    const other = holders.find((each) => each !== first);
    if (other?.hasReported({ holds: lock }) === true) this.#overtaken++;
    const meanwhile = await this.#read(name).catch(() => null);
    first.signal('SIGCONT');
    const stored = await this.#settled(name);
    // The other member may only complete data that was stored before it acquired the lock.
    if (meanwhile !== null && stored !== meanwhile) this.#problems.push(`${name}: a certificate was overwritten`);
    const orders = pebble.orders() - before;
    if (orders > 1 + this.#losses((each) => each === lock)) this.#problems.push(`${name}: ordered ${orders} times`);
  }

  /** Counts lost locks. A lock can be lost after a suspension, or because the machine was busy for longer than the lock's lifetime. */
  #losses(isCounted: (lock: string) => boolean): number {
    const reported = this.#parts.holders.flatMap((holder) => holder.told);
    return reported.filter(
      (each) => ('lost' in each && isCounted(each.lost)) || ('refused' in each && isCounted(each.refused)),
    ).length;
  }

  /** Returns the first member that reports an event. */
  async #firstTo(reported: Told, name: string): Promise<Holder> {
    const { holders } = this.#parts;
    await until(() => holders.some((holder) => holder.hasReported(reported)), `${name} is ordered`);
    return holders.find((holder) => holder.hasReported(reported)) as Holder;
  }

  /** Waits until both members serve the stored certificate. Returns its fingerprint. */
  async #settled(name: string): Promise<string> {
    const { holders } = this.#parts;
    let stored = '';
    const agree = async (): Promise<boolean> => {
      stored = await this.#read(name).catch(() => '');
      const shown = await Promise.all(holders.map((holder) => holder.shows(name)));
      return stored !== '' && shown.every((each) => each === stored);
    };
    await until(agree, `${name} is served by both`, 30_000).catch(async (error: unknown) => {
      const said = await this.#read(name).catch(String);
      const shown = await Promise.all(holders.map((holder) => holder.shows(name)));
      const errors = holders.map((holder) => holder.errors.slice(-2000)).join('\n');
      this.#problems.push(`${String(error)}; stored ${said}; shown ${shown.join(' ')}; ${errors}`);
    });
    this.#stored.set(name, stored);
    return stored;
  }

  /** Returns the fingerprint of the stored certificate. Rejects if the certificate and the key do not match. */
  async #read(name: string): Promise<string> {
    const { storage, pebble } = this.#parts;
    const ca = `localhost-${new URL(pebble.directory).port}-dir`;
    const stem = `certificates/${ca}/${name}/${name}`;
    const [chain, key] = [await storage.load(`${stem}.crt`), await storage.load(`${stem}.key`)];
    const certificate = new X509Certificate(chain ?? '');
    if (!certificate.checkPrivateKey(createPrivateKey(key ?? '')))
      throw new Error('the key does not match the certificate');
    return certificate.fingerprint256;
  }
}
