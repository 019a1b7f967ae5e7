/** Processes an ACME order, from its creation to the download of the certificate (RFC 8555 §7.4). */
import { AcmeError } from '../protocol/acme-error.ts';
import { keyAuthorization, type ClientChallengeType } from '../protocol/challenge.ts';
import { jwkOf } from '../protocol/jwk.ts';
import { AcmeProblem, isAcmeProblem, type Identifier } from '../protocol/problem.ts';
import type { AuthorizationResource, ChallengeResource, OrderResource } from '../protocol/resources.ts';
import type { Account } from './account.ts';
import { chooseChain, type ChainPreference } from './chains.ts';
import { jsonOf, type Session } from './session.ts';

export interface ChallengeTask {
  readonly identifier: Identifier;
  readonly token: string;
  readonly keyAuthorization: string;
  /** True for wildcard names. For these names, `identifier` omits the `*.` prefix. */
  readonly wildcard: boolean;
  /** Account URL. */
  readonly account: string;
  /** Issuer domain names of the CA, for `dns-persist-01`. */
  readonly issuerNames: readonly string[];
  readonly signal: AbortSignal;
}

/** Sets up the response to challenges of one type. Returns a function that removes the response. */
export type Solver = (task: ChallengeTask) => Promise<() => Promise<void>>;

/** Parameters of a certificate request. */
export interface ObtainRequest {
  readonly identifiers: readonly Identifier[];
  /** CSR in DER format. */
  readonly csr: Buffer;
  /** Solvers by challenge type, in order of preference. */
  readonly solvers: ReadonlyMap<ClientChallengeType, Solver>;
  readonly profile: string | null;
  /** Requested expiration time, in milliseconds since 1970. If `null`, the CA chooses the expiration time. */
  readonly notAfter: number | null;
  /** ARI identifier of the certificate to renew (RFC 9773 §5). `null` if the CA does not support ARI. */
  readonly replaces: string | null;
  readonly chains: ChainPreference | null;
  /** Callback invoked after a challenge type fails and before the client tries the next type. */
  readonly onFallback: (type: ClientChallengeType, error: Error) => void;
}

export interface ObtainedCertificate {
  /** Certificate chain in PEM format. */
  readonly chain: string;
  readonly url: string;
}

/** Error for a challenge that the CA rejected. The client may still try other challenge types. */
class ChallengeFailed extends Error {
  readonly type: ClientChallengeType;

  constructor(type: ClientChallengeType, cause: Error) {
    super(cause.message, { cause });
    this.type = type;
  }
}

/** Initial interval for polling a resource, in milliseconds. */
const firstPoll = 250;
const maxPollInterval = 5_000;

/** Obtains a certificate. If a challenge type fails, creates a new order and tries the next type. */
export async function obtain(session: Session, account: Account, request: ObtainRequest): Promise<ObtainedCertificate> {
  const left = new Map(request.solvers);
  for (;;) {
    try {
      return await attempt(session, account, { ...request, solvers: left });
    } catch (error) {
      if (!(error instanceof ChallengeFailed)) throw error;
      left.delete(error.type);
      if (left.size === 0 || session.signal.aborted) throw error.cause;
      request.onFallback(error.type, error.cause as Error);
    }
  }
}

async function attempt(session: Session, account: Account, request: ObtainRequest): Promise<ObtainedCertificate> {
  const client = new AccountClient(session, account);
  const { url, order } = await newOrder(client, request);
  for (const authorization of order.authorizations) await authorize(client, authorization, request.solvers);
  const ready = await client.settled<OrderResource>(url, ({ status }) => status !== 'pending');
  if (ready.status === 'ready') await finalize(client, ready, request.csr);
  const done = await client.settled<OrderResource>(url, ({ status }) => status !== 'processing' && status !== 'ready');
  if (done.status !== 'valid' || done.certificate === undefined)
    throw orderError(done, `order ${url} failed with status ${done.status}`);
  return chooseChain(client, done.certificate, request.chains);
}

async function newOrder(
  client: AccountClient,
  { identifiers, profile, notAfter, replaces }: ObtainRequest,
): Promise<{ readonly url: string; readonly order: OrderResource }> {
  const directory = await client.session.directory();
  const known = directory.meta?.profiles;
  if (profile !== null && known !== undefined && !Object.hasOwn(known, profile))
    throw new AcmeError(
      'ERR_ACME_AUTHORITY',
      `the CA does not support the profile ${JSON.stringify(profile)}; supported: ${Object.keys(known).join(', ')}`,
    );
  const payload = {
    identifiers,
    ...(profile !== null && { profile }),
    ...(notAfter !== null && { notAfter: new Date(notAfter).toISOString() }),
  };
  const renewing = replaces !== null && directory.renewalInfo !== undefined;
  const { newOrder: to } = directory;
  const response = await client.post(to, renewing ? { ...payload, replaces } : payload).catch((error: unknown) => {
    // Support for the `replaces` field is optional for CAs. The CA may also not recognize the old certificate, or may already have an order
    // that replaces it (RFC 9773 §5).
    if (!renewing || !isAcmeProblem(error) || error.status >= 500) throw error;
    return client.post(to, payload);
  });
  const url = response.headers['location'];
  if (url === undefined) throw new AcmeError('ERR_ACME_AUTHORITY', `${to} returned no order URL`);
  return { url, order: jsonOf(response, to) as OrderResource };
}

/** Completes the challenges of an authorization, unless the authorization is already valid. */
async function authorize(client: AccountClient, url: string, solvers: ObtainRequest['solvers']): Promise<void> {
  const authorization = await client.read<AuthorizationResource>(url);
  if (authorization.status === 'valid') return;
  const { identifier, wildcard = false } = authorization;
  const [type, solver, challenge] = choose(authorization, solvers);
  const token = challenge.token ?? '';
  const { signal } = client.session;
  let takeDown: () => Promise<void>;
  try {
    const key = keyAuthorization(token, jwkOf(client.account.key));
    const issuerNames = challenge['issuer-domain-names'] ?? [];
    const account = client.account.url;
    takeDown = await solver({ identifier, wildcard, token, keyAuthorization: key, account, issuerNames, signal });
  } catch (error) {
    throw new ChallengeFailed(type, error as Error);
  }
  try {
    await client.post(challenge.url, {});
    const done = await client.settled<AuthorizationResource>(url, ({ status }) => status !== 'pending');
    if (done.status !== 'valid') throw new ChallengeFailed(type, challengeError(done, type));
  } finally {
    await takeDown();
  }
}

function choose(
  { identifier, challenges }: AuthorizationResource,
  solvers: ObtainRequest['solvers'],
): readonly [ClientChallengeType, Solver, ChallengeResource] {
  for (const [type, solver] of solvers) {
    const challenge = challenges.find((each) => each.type === type);
    if (challenge !== undefined) return [type, solver, challenge];
  }
  const offered = challenges.map(({ type }) => type).join(', ');
  const enabled = [...solvers.keys()].join(', ');
  throw new AcmeError(
    'ERR_ACME_AUTHORITY',
    `the CA offers ${offered} for ${identifier.value}, but only ${enabled} is enabled`,
  );
}

async function finalize(client: AccountClient, { finalize: url }: OrderResource, csr: Buffer): Promise<void> {
  await client.post(url, { csr: csr.toString('base64url') });
}

function challengeError({ identifier, status, challenges }: AuthorizationResource, type: ClientChallengeType): Error {
  const error = challenges.find((each) => each.type === type)?.error;
  if (error !== undefined) return new AcmeProblem(error.status ?? 400, { identifier, ...error });
  return new AcmeError(
    'ERR_ACME_AUTHORITY',
    `authorization of ${identifier.value} by ${type} failed with status ${status}`,
  );
}

function orderError({ error }: OrderResource, otherwise: string): Error {
  return error === undefined
    ? new AcmeError('ERR_ACME_AUTHORITY', otherwise)
    : new AcmeProblem(error.status ?? 400, error);
}

/** Sends requests signed with the account key. */
class AccountClient {
  readonly session: Session;
  readonly account: Account;

  constructor(session: Session, account: Account) {
    this.session = session;
    this.account = account;
  }

  /** Sends a signed request. If `payload` is `null`, the request is a POST-as-GET (RFC 8555 §6.3). */
  post(url: string, payload: object | null, accept?: string): ReturnType<Session['post']> {
    return this.session.post(url, { key: this.account.key, signer: { kid: this.account.url } }, payload, accept);
  }

  /** Fetches a resource. */
  async read<T extends object>(url: string): Promise<T> {
    return jsonOf(await this.post(url, null), url) as T;
  }

  /** Polls a resource until `isDone` returns true. The CA's `Retry-After` header controls the polling interval. */
  async settled<T extends object>(url: string, isDone: (resource: T) => boolean): Promise<T> {
    for (let poll = firstPoll; ; poll = Math.min(poll * 2, maxPollInterval)) {
      const response = await this.post(url, null);
      const resource = jsonOf(response, url) as T;
      if (isDone(resource)) return resource;
      await this.session.pause(response, poll);
    }
  }
}
