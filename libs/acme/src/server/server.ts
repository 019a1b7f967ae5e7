/** An ACME server (RFC 8555): a function from requests to answers. */
import { isAcmeProblem, problem } from '../protocol/problem.ts';
import type { DirectoryResource } from '../protocol/resources.ts';
import { account, keyChange, newAccount } from './accounts.ts';
import { authorization, challenge } from './authorizations.ts';
import type { Book } from './book.ts';
import { readCall, type Call, type SignedBy } from './call.ts';
import { certificate, revoke } from './certificates.ts';
import { emptyAnswer, jsonAnswer, problemAnswer, type ServerRequest, type ServerResponse } from './message.ts';
import { newOrder, order } from './orders.ts';
import type { ServerSettings } from './settings.ts';

/** A kind of resource that answers signed requests. */
interface Resource {
  readonly signedBy: SignedBy;
  readonly answer: (call: Call) => Promise<ServerResponse>;
}

/** By the first segment of the path. */
const resources: ReadonlyMap<string, Resource> = new Map<string, Resource>([
  ['new-account', { signedBy: 'key', answer: newAccount }],
  ['account', { signedBy: 'account', answer: account }],
  ['key-change', { signedBy: 'account', answer: keyChange }],
  ['new-order', { signedBy: 'account', answer: newOrder }],
  ['order', { signedBy: 'account', answer: order }],
  ['authz', { signedBy: 'account', answer: authorization }],
  ['challenge', { signedBy: 'account', answer: challenge }],
  ['certificate', { signedBy: 'account', answer: certificate }],
  ['revoke-cert', { signedBy: 'either', answer: revoke }],
]);

const notFound: ServerResponse = {
  status: 404,
  headers: [
    ['content-type', 'text/plain; charset=utf-8'],
    ['x-content-type-options', 'nosniff'],
  ],
  body: '404 page not found\n',
};

/** Answers requests about one authority; the book may be shared with other servers on it. */
export class AcmeServer {
  readonly #book: Book;
  readonly #settings: ServerSettings;

  constructor(book: Book, settings: ServerSettings) {
    this.#book = book;
    this.#settings = settings;
  }

  /** Answers. Never rejects: what goes wrong here is reported, and the client told that it did. */
  async handle(request: ServerRequest): Promise<ServerResponse> {
    const [name = '', ...segments] = request.path.slice(1).split('/');
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (request.path === '/directory') return reading ? directory(request.base) : notAllowed('GET, HEAD');
    if (request.path === '/new-nonce')
      return reading
        ? this.#signedAnswer(request, emptyAnswer(request.method === 'GET' ? 204 : 200))
        : notAllowed('GET, HEAD');
    const resource = resources.get(name);
    if (resource === undefined) return notFound;
    if (request.method !== 'POST') return notAllowed('POST');
    return this.#signedAnswer(request, await this.#answer(request, resource, segments));
  }

  async #answer(request: ServerRequest, { signedBy, answer }: Resource, segments: string[]): Promise<ServerResponse> {
    try {
      return await answer(await readCall(request, { segments, signedBy }, this.#book, this.#settings));
    } catch (error) {
      if (isAcmeProblem(error)) return problemAnswer(error.status, error.document);
      this.#settings.report('error', 'a request could not be answered', { path: request.path, error });
      const { status, document } = problem('serverInternal', 'the server could not answer; its log says why');
      return problemAnswer(status, document);
    }
  }

  /** With a new nonce and the way back (RFC 8555 §6.5, §7.1). */
  #signedAnswer({ base }: ServerRequest, answer: ServerResponse): ServerResponse {
    return {
      ...answer,
      headers: [
        ['cache-control', 'no-store'],
        ['link', `<${base}/directory>;rel="index"`],
        ['replay-nonce', this.#book.nonces.make()],
        ...answer.headers,
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
  const answer = jsonAnswer(200, resource);
  return { ...answer, body: `${answer.body}\n` };
}

function notAllowed(allow: string): ServerResponse {
  return emptyAnswer(405, [['allow', allow]]);
}
