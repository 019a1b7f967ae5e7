/** S3 client that sends signed requests to a bucket (AWS Signature Version 4). */
import { once } from 'node:events';
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import aws4 from 'aws4';
import { messageOf, SluiceError } from '@sluice/base';
import { storageFaults } from '../server/faults.ts';
import { encodeSegment, placeOf, type S3Address } from './address.ts';
import { listedIn, reasonIn, type ListedPage } from './documents.ts';

/** Timeout for an S3 response, in milliseconds. */
const timeout = 10_000;

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface S3Response {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface S3Object {
  /** ETag of the object. It changes with each write. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly size: number;
  /** Response body. Empty for a HEAD request. */
  readonly body: Buffer;
}

/** Condition for a write: the object must not exist, or its ETag must be unchanged. */
export type Condition = { readonly absent: true } | { readonly etag: string };

/** An S3 bucket. Connects on demand. */
export class S3Client {
  readonly #address: S3Address;
  readonly #agent: Agent | PlainAgent;

  constructor(address: S3Address) {
    this.#address = address;
    const shared = { keepAlive: true, maxSockets: 16 };
    this.#agent =
      address.endpoint.protocol === 'https:'
        ? new Agent({ ...shared, rejectUnauthorized: !address.insecure })
        : new PlainAgent(shared);
  }

  /** Returns an object, or `null` if it does not exist. If `how` is `HEAD`, the returned object contains no data. */
  async get(key: string, how: 'GET' | 'HEAD' = 'GET'): Promise<S3Object | null> {
    const { status, headers, body } = await this.#send({ method: how, key });
    if (status === 404) return null;
    if (status !== 200) throw refusal(status, body);
    return {
      etag: headers.etag ?? '',
      modified: Date.parse(headers['last-modified'] ?? ''),
      size: Number(headers['content-length'] ?? body.length),
      body,
    };
  }

  /** Writes an object. Returns its new ETag, or `null` if the condition is not met. */
  async put(key: string, body: Buffer, condition: Condition | null = null): Promise<string | null> {
    const response = await this.#send({ method: 'PUT', key, body, headers: headersOf(condition) });
    // 409 means that the object is being written concurrently. 404 means that it was removed in the meantime.
    if (condition !== null && [404, 409, 412].includes(response.status)) return null;
    if (response.status !== 200) throw refusal(response.status, response.body);
    return response.headers.etag ?? '';
  }

  async remove(key: string): Promise<void> {
    const { status, body } = await this.#send({ method: 'DELETE', key });
    if (status !== 204 && status !== 200 && status !== 404) throw refusal(status, body);
  }

  /**
   * Lists keys that begin with a prefix. If a delimiter is given, common prefixes are returned as `folders`. `max` limits the number of
   * entries.
   */
  async list(prefix: string, delimiter: string, max = Infinity): Promise<ListedPage> {
    const keys: string[] = [];
    const folders: string[] = [];
    for (let token: string | null = ''; token !== null && keys.length + folders.length < max;) {
      const page: ListedPage = await this.#page(prefix, delimiter, token);
      keys.push(...page.keys);
      folders.push(...page.folders);
      token = page.next;
    }
    return { keys, folders, next: null };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #page(prefix: string, delimiter: string, token: string): Promise<ListedPage> {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      prefix,
      ...(delimiter === '' ? {} : { delimiter }),
      ...(token === '' ? {} : { 'continuation-token': token }),
    };
    const { status, body } = await this.#send({ method: 'GET', key: '', query });
    if (status !== 200) throw refusal(status, body);
    return listedIn(body.toString());
  }

  async #send(asked: S3Request): Promise<S3Response> {
    try {
      return await this.#once(asked);
    } catch (error) {
      throw storageFaults.refused(`s3: ${messageOf(error)}`, error);
    }
  }

  async #once({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Response> {
    const { endpoint, region, credentials } = this.#address;
    const { host, path } = placeOf(this.#address, key);
    const parameters = Object.entries(query).map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`);
    const options = {
      method,
      host,
      path: parameters.length === 0 ? path : `${path}?${parameters.join('&')}`,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(body.length) }) },
      ...(body === undefined ? {} : { body }),
      service: 's3',
      region,
    };
    const signed = credentials === null ? options : aws4.sign(options, credentials);
    const send = endpoint.protocol === 'https:' ? request : plainRequest;
    const sent = send({
      method,
      hostname: host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'),
      port: endpoint.port,
      path: options.path,
      headers: { ...signed.headers, host },
      agent: this.#agent,
      signal: AbortSignal.timeout(timeout),
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  }
}

function headersOf(condition: Condition | null): Readonly<Record<string, string>> {
  if (condition === null) return {};
  return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.etag };
}

function refusal(status: number, body: Buffer): SluiceError {
  return new SluiceError('ERR_STORAGE_SERVER', `s3: ${status} ${reasonIn(body.toString())}`.trimEnd());
}
