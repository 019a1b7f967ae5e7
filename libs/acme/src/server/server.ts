/** ACME server (RFC 8555), implemented as a function from requests to responses. */
import { isAcmeProblem, problem } from '../protocol/problem.ts';
import type { DirectoryResource } from '../protocol/resources.ts';
import { account, keyChange, newAccount } from './accounts.ts';
import { authorization, challenge } from './authorizations.ts';
import type { Book } from './book.ts';
import { readCall, type Call, type SignedBy } from './call.ts';
import { certificate, revoke } from './certificates.ts';
import { emptyResponse, jsonResponse, problemResponse, type ServerRequest, type ServerResponse } from './message.ts';
import { newOrder, order } from './orders.ts';
import type { ServerSettings } from './settings.ts';

interface Resource {
  readonly signedBy: SignedBy;
  readonly respond: (call: Call) => Promise<ServerResponse>;
}

/** Resource handlers, keyed by the first path segment. */
const resources: ReadonlyMap<string, Resource> = new Map<string, Resource>([
  ['new-account', { signedBy: 'key', respond: newAccount }],
  ['account', { signedBy: 'account', respond: account }],
  ['key-change', { signedBy: 'account', respond: keyChange }],
  ['new-order', { signedBy: 'account', respond: newOrder }],
  ['order', { signedBy: 'account', respond: order }],
  ['authz', { signedBy: 'account', respond: authorization }],
  ['challenge', { signedBy: 'account', respond: challenge }],
  ['certificate', { signedBy: 'account', respond: certificate }],
  ['revoke-cert', { signedBy: 'either', respond: revoke }],
]);

const notFound: ServerResponse = {
  status: 404,
  headers: [
    ['content-type', 'text/plain; charset=utf-8'],
    ['x-content-type-options', 'nosniff'],
  ],
  body: '404 page not found\n',
};

/** Handles ACME requests for one CA. Several servers for the same CA may share a `Book`. */
export class AcmeServer {
  readonly #book: Book;
  readonly #settings: ServerSettings;

  constructor(book: Book, settings: ServerSettings) {
    this.#book = book;
    this.#settings = settings;
  }

  /** Handles a request. Never rejects: an internal error is logged, and the client receives status 500. */
  async handle(request: ServerRequest): Promise<ServerResponse> {
    const [name = '', ...segments] = request.path.slice(1).split('/');
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (request.path === '/directory') return reading ? directory(request.base) : notAllowed('GET, HEAD');
    if (request.path === '/new-nonce')
      return reading
        ? this.#signedResponse(request, emptyResponse(request.method === 'GET' ? 204 : 200))
        : notAllowed('GET, HEAD');
    const resource = resources.get(name);
    if (resource === undefined) return notFound;
    if (request.method !== 'POST') return notAllowed('POST');
    return this.#signedResponse(request, await this.#respond(request, resource, segments));
  }

  async #respond(request: ServerRequest, { signedBy, respond }: Resource, segments: string[]): Promise<ServerResponse> {
    try {
      return await respond(await readCall(request, { segments, signedBy }, this.#book, this.#settings));
    } catch (error) {
      if (isAcmeProblem(error)) return problemResponse(error.status, error.document);
      this.#settings.report('error', 'failed to handle ACME request', { path: request.path, error });
      const { status, document } = problem('serverInternal', 'internal error; see the server log');
      return problemResponse(status, document);
    }
  }

  /** Adds a new nonce and the `index` link to a response (RFC 8555 §6.5, §7.1). */
  #signedResponse({ base }: ServerRequest, response: ServerResponse): ServerResponse {
    return {
      ...response,
      headers: [
        ['cache-control', 'no-store'],
        ['link', `<${base}/directory>;rel="index"`],
        ['replay-nonce', this.#book.nonces.make()],
        ...response.headers,
      ],
    };
  }
}

function directory(base: string): ServerResponse {
  const resource: DirectoryResource = {
    newNonce: `${base}/new-nonce`,
    newAccount: `${base}/new-account`,
    newOrder: `${base}/new-order`,
    revokeCert: `${base}/revoke-cert`,
    keyChange: `${base}/key-change`,
  };
  const response = jsonResponse(200, resource);
  return { ...response, body: `${response.body}\n` };
}

function notAllowed(allow: string): ServerResponse {
  return emptyResponse(405, [['allow', allow]]);
}
