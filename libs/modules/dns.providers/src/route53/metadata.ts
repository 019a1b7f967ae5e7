/** Temporary AWS credentials of the machine, from an EC2 instance role or a container (ECS, EKS). */
import { readFile } from 'node:fs/promises';
import { isObject, type Json } from '@sluice/base';
import type { Api, Call } from '../common/api.ts';

/** Credentials of AWS. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Session token. Empty if there is none. */
  readonly sessionToken: string;
}

/** Time before expiration at which credentials are fetched again, in milliseconds. */
const margin = 5 * 60_000;
/** Request timeout, in milliseconds. It is short, because no server responds outside of AWS. */
const timeout = 2_000;

/** Creates an API client for a base URL. */
export type ApiOf = (base: string) => Api;

/** Fetches the credentials of the machine and caches them until shortly before they expire. */
export class MachineCredentials {
  readonly #apiOf: ApiOf;
  #known: Credentials | null = null;
  /** Expiration time of the cached credentials, in milliseconds since the Unix epoch. */
  #expires = 0;

  constructor(apiOf: ApiOf) {
    this.#apiOf = apiOf;
  }

  /** Returns the credentials of the machine, or `null` if there are none. */
  async find(env: NodeJS.ProcessEnv): Promise<Credentials | null> {
    if (this.#known !== null && Date.now() < this.#expires - margin) return this.#known;
    const found = await this.#fetch(env).catch(() => null);
    if (!isObject(found)) return null;
    const { AccessKeyId: id, SecretAccessKey: secret, Token: session, Expiration: expires } = found;
    if (typeof id !== 'string' || typeof secret !== 'string') return null;
    this.#expires = Date.parse(String(expires)) || 0;
    return (this.#known = { accessKeyId: id, secretAccessKey: secret, sessionToken: String(session ?? '') });
  }

  #fetch(env: NodeJS.ProcessEnv): Promise<Json> {
    const full = env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] ?? '';
    const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] ?? '';
    if (full !== '') return this.#ofContainer(full, env);
    if (relative !== '') return this.#ofContainer(`http://169.254.170.2${relative}`, env);
    if (env['AWS_EC2_METADATA_DISABLED'] === 'true') return Promise.resolve(null);
    return this.#ofInstance(env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? 'http://169.254.169.254');
  }

  async #ofContainer(url: string, env: NodeJS.ProcessEnv): Promise<Json> {
    const { origin, pathname, search } = new URL(url);
    const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
    const token = file === undefined ? env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] : (await readFile(file, 'utf8')).trim();
    const headers: Record<string, string> = token === undefined ? {} : { authorization: token };
    return this.#apiOf(origin).json({ ...get(`${pathname}${search}`), headers });
  }

  /** Fetches credentials from the EC2 instance metadata service, using a session token (IMDSv2). */
  async #ofInstance(endpoint: string): Promise<Json> {
    const api = this.#apiOf(endpoint.replace(/\/$/, ''));
    const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' };
    const session = await api.call({ ...get('/latest/api/token'), method: 'PUT', headers: lifetime });
    const headers = { 'x-aws-ec2-metadata-token': session.body.trim() };
    const path = '/latest/meta-data/iam/security-credentials/';
    const role = (await api.call({ ...get(path), headers })).body.trim().split('\n', 1)[0] ?? '';
    return api.json({ ...get(`${path}${encodeURIComponent(role)}`), headers });
  }
}

function get(path: string): Call {
  return { method: 'GET', path, signal: AbortSignal.timeout(timeout) };
}
