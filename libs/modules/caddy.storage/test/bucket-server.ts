/**
 * An in-process server that implements the part of the Amazon S3 API required by the storage: objects, conditional requests, and listings
 * with small pages.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Number of keys per page of a listing. */
const pageSize = 2;

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly modified: Date;
}

/** The bucket `certificates`. */
export class BucketServer {
  readonly objects = new Map<string, StoredObject>();
  /** True if the server supports conditional requests. */
  readonly #conditions: boolean;
  readonly #server: Server;
  #writes = 0;

  private constructor(conditions: boolean) {
    this.#conditions = conditions;
    this.#server = createServer((request, response) => void this.#respond(request, response));
  }

  static async start(conditions = true): Promise<BucketServer> {
    const bucket = new BucketServer(conditions);
    bucket.#server.listen(0, '127.0.0.1');
    await once(bucket.#server, 'listening');
    return bucket;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  put(key: string, body: Buffer): StoredObject {
    // Equal bytes may get different ETags. S3 returns equal ETags, but the storage must not depend on either behavior.
    const etag = `"${createHash('md5').update(body).digest('hex')}-${this.#writes++ % 3}"`;
    const object = { body, etag, modified: new Date() };
    this.objects.set(key, object);
    return object;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://bucket');
    const [, bucket, ...segments] = url.pathname.split('/').map(decodeURIComponent);
    const key = segments.join('/');
    const signed = /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/us-east-1\/s3\/aws4_request, /;
    if (!signed.test(request.headers.authorization ?? '')) return fail(response, 403, 'AccessDenied');
    if (bucket !== 'certificates') return fail(response, 404, 'NoSuchBucket');
    if (key === '') return void response.end(this.#list(url.searchParams));
    if (request.method === 'PUT') return this.#write(request, response, [key, Buffer.concat(chunks)]);
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = this.objects.get(key);
    if (found === undefined) return fail(response, 404, 'NoSuchKey');
    const headers = {
      etag: found.etag,
      'last-modified': found.modified.toUTCString(),
      'content-length': found.body.length,
    };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : found.body);
  }

  #write(request: IncomingMessage, response: ServerResponse, [key, body]: [string, Buffer]): void {
    const found = this.objects.get(key);
    const { 'if-match': match, 'if-none-match': none } = request.headers;
    if (this.#conditions && match !== undefined && match !== found?.etag)
      return fail(response, found === undefined ? 404 : 412, 'PreconditionFailed');
    if (this.#conditions && none !== undefined && found !== undefined) return fail(response, 412, 'PreconditionFailed');
    response.writeHead(200, { etag: this.put(key, body).etag }).end();
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const matching = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const entries = matching.map((key) => {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return end < 0 ? `<Contents><Key>${coded(key)}</Key></Contents>` : folder(key.slice(0, end + 1));
    });
    const all = [...new Set(entries)];
    const from = Number(query.get('continuation-token') ?? 0);
    const more = from + pageSize < all.length;
    const next = more ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>` : '';
    const page = all.slice(from, from + pageSize).join('');
    return `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${page}${next}</ListBucketResult>`;
  }
}

function folder(prefix: string): string {
  return `<CommonPrefixes><Prefix>${coded(prefix)}</Prefix></CommonPrefixes>`;
}

function coded(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}
