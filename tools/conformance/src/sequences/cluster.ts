/** Controls the Kubernetes API server of the test environment and its processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from './kind.ts';
import { collectionPath, kinds, manifestOf, placeOf, type Target } from './objects.ts';

export interface ApiObject {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion?: string };
  readonly status?: object;
  readonly spec?: object;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

const etcd = 'http://127.0.0.1:2379';

export class Cluster {
  readonly server: URL;
  readonly ca: Buffer;
  readonly #token: string;
  readonly #directory: string;
  readonly #agent: Agent;
  /** Process ID. */
  #apiServer: number;

  /** @param environment Environment of `enter.sh`. */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    const { API = '', TOKEN = '', HARNESS_RUN = '' } = environment;
    if (HARNESS_RUN === '') throw new Error('this command runs by enter.sh');
    this.server = new URL(API);
    this.#token = TOKEN;
    this.#directory = HARNESS_RUN;
    this.ca = readFileSync(`${HARNESS_RUN}/pki/ca.crt`);
    this.#agent = new Agent({ keepAlive: true, ca: this.ca });
    this.#apiServer = Number(readFileSync(`${HARNESS_RUN}/apiserver.pid`, 'utf8'));
  }

  async send(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${this.#token}`,
      ...(payload === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(payload) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.server), { method, headers, agent: this.#agent }, (response) => {
        buffer(response).then((text) => {
          resolve({ status: response.statusCode ?? 0, json: text.length === 0 ? null : JSON.parse(text.toString()) });
        }, reject);
      });
      sent.on('error', reject);
      sent.end(payload);
    });
  }

  /** Creates or replaces a Kubernetes object. Returns the reason if the API server rejects the object. */
  async put(target: Target, variant: number): Promise<string | null> {
    const { collection, name } = placeOf(target);
    const manifest = manifestOf(target, variant);
    const created = await this.send('POST', collection, manifest);
    if (created.status !== 409) return reasonOf(created);
    const { json } = await this.send('GET', `${collection}/${name}`);
    const resourceVersion = (json as ApiObject).metadata.resourceVersion ?? '';
    const { metadata, ...rest } = manifest as ApiObject;
    const next = { ...rest, metadata: { ...metadata, resourceVersion } };
    const replaced = await this.send('PUT', `${collection}/${name}`, next);
    // Another client changed the object's status in the meantime.
    if (replaced.status === 409) return this.put(target, variant);
    return reasonOf(replaced);
  }

  async delete(target: Target): Promise<void> {
    const { collection, name } = placeOf(target);
    await this.send('DELETE', `${collection}/${name}`, { propagationPolicy: 'Background' });
  }

  async list(kind: Kind): Promise<readonly ApiObject[]> {
    const { status, json } = await this.send('GET', collectionPath(kind));
    if (status !== 200) throw new Error(`cannot list ${kind.plural}: ${status} ${JSON.stringify(json)}`);
    return (json as { readonly items: readonly ApiObject[] }).items;
  }

  /** Compacts the history of etcd, so watches cannot resume from old versions. */
  async compact(): Promise<void> {
    const call = async (path: string, body: object): Promise<{ readonly header?: { readonly revision?: string } }> => {
      const response = await fetch(`${etcd}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
      return (await response.json()) as { readonly header?: { readonly revision?: string } };
    };
    const { header } = await call('maintenance/status', {});
    await call('kv/compaction', { revision: header?.revision ?? '0', physical: true });
  }

  /** Kills the API server and restarts it with the same command. */
  async restart(): Promise<void> {
    const pid = this.#apiServer;
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    process.kill(pid, 'SIGKILL');
    let child: ChildProcess | null = null;
    for (const end = performance.now() + 60_000; ; await sleep(50)) {
      // The port stays in use until all threads of the killed process have exited.
      if (child === null || child.exitCode !== null) {
        const log = openSync(`${this.#directory}/log/apiserver.log`, 'a');
        child = spawn(program, args, { cwd: this.#directory, stdio: ['ignore', log, log] });
        this.#apiServer = child.pid ?? 0;
        closeSync(log);
      }
      const lists = await Promise.all(kinds.map((kind) => this.list(kind).catch(() => null)));
      if (lists.every((each) => each !== null)) return;
      if (performance.now() > end) throw new Error('the API server did not start again');
    }
  }
}

function reasonOf({ status, json }: Answer): string | null {
  return status < 300 ? null : `${status} ${(json as { readonly message?: string } | null)?.message ?? ''}`;
}
