/**
 * Two members that want the same certificates of a CA, on one storage. Undisturbed they order each once. Then, run by run, the holder of the
 * lock is stopped for three times as long as the lock lasts, at some moment of the order or between its writes, and goes on: what the other has
 * stored meanwhile stays, a certificate fits its key, and both serve it. The CA asks a third member for the challenges.
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

/** Sizes. */
export interface CertificatePlan {
  readonly seed: number;
  /** Names that both want at once, undisturbed. */
  readonly names: number;
  readonly stops: number;
}

/** As the issue wants it. */
export const fullCertificatePlan: CertificatePlan = { seed: 1, names: 20, stops: 100 };

/** What came of it. */
export interface CertificateReport {
  /** Names that both wanted, and orders for them that the CA was given. */
  readonly wanted: number;
  readonly ordered: number;
  /** Locks of those that were lost although no one was stopped: the machine was busy. Each may cost an order. */
  readonly lost: number;
  /** Holders that were stopped, those of them that had lost their lock when they went on, and writes of theirs that were refused. */
  readonly stopped: number;
  readonly overtaken: number;
  readonly refused: number;
  /** Orders for the names of these runs: one, or two where the first was stopped before it had stored anything. */
  readonly orderedAgain: number;
  readonly problems: readonly string[];
}

/** Runs it on a storage, which is left running; `null` where this machine has no CA. */
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

/** The member that the CA asks, which wants nothing itself. */
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
  /** What was stored in the end, by name: it stays. */
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
      if (now !== fingerprint) this.#problems.push(`${name}: ${fingerprint} was stored, and is now ${now}`);
    }
    const refused = holders.flatMap(({ told }) => told.filter((each) => 'refused' in each));
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

  /** One run. */
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
    if (other?.hasTold({ holds: lock }) === true) this.#overtaken++;
    const meanwhile = await this.#read(name).catch(() => null);
    first.signal('SIGCONT');
    const stored = await this.#settled(name);
    // What was there before the other had the lock may be completed by it.
    if (meanwhile !== null && stored !== meanwhile) this.#problems.push(`${name}: a certificate was overwritten`);
    const orders = pebble.orders() - before;
    if (orders > 1 + this.#losses((each) => each === lock)) this.#problems.push(`${name}: ordered ${orders} times`);
  }

  /** Locks that holders have lost: of those who were stopped, and of any on a machine that is busy with other things for as long as a lock lasts. */
  #losses(isCounted: (lock: string) => boolean): number {
    const told = this.#parts.holders.flatMap((holder) => holder.told);
    return told.filter(
      (each) => ('lost' in each && isCounted(each.lost)) || ('refused' in each && isCounted(each.refused)),
    ).length;
  }

  /** Who says so first. */
  async #firstTo(told: Told, name: string): Promise<Holder> {
    const { holders } = this.#parts;
    await until(() => holders.some((holder) => holder.hasTold(told)), `${name} is ordered`);
    return holders.find((holder) => holder.hasTold(told)) as Holder;
  }

  /** Waits until both serve what is stored, and gives its fingerprint. */
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

  /** The fingerprint of what is stored; rejects where that is not a pair. */
  async #read(name: string): Promise<string> {
    const { storage, pebble } = this.#parts;
    const ca = `localhost-${new URL(pebble.directory).port}-dir`;
    const stem = `certificates/${ca}/${name}/${name}`;
    const [chain, key] = [await storage.load(`${stem}.crt`), await storage.load(`${stem}.key`)];
    const certificate = new X509Certificate(chain ?? '');
    if (!certificate.checkPrivateKey(createPrivateKey(key ?? ''))) throw new Error('the key is of another certificate');
    return certificate.fingerprint256;
  }
}
