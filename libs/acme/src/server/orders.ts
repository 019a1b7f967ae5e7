/** Orders (RFC 8555 §7.1.3, §7.4). */
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import type { ChallengeType } from '../protocol/challenge.ts';
import { problem, type AcmeProblem, type Identifier } from '../protocol/problem.ts';
import type { OrderResource, OrderStatus } from '../protocol/resources.ts';
import { resumeValidations } from './authorizations.ts';
import { newId } from './book.ts';
import { accountOf, type Call } from './call.ts';
import { checkCsr } from './csr.ts';
import { readIdentifiers } from './identifiers.ts';
import { jsonResponse, timestamp, type ServerResponse } from './message.ts';
import type { AuthorizationRecord, OrderRecord } from './records.ts';

/** Lifetime of an order, in milliseconds. */
const orderLifetime = 86_400_000;
const maxIdentifiers = 100;
/** Time in milliseconds by which the server backdates certificates. Backdating helps clients whose clocks are slightly slow. */
const backdated = 60_000;

export async function newOrder(call: Call): Promise<ServerResponse> {
  const { book, settings, payload } = call;
  const identifiers = readIdentifiers(payload?.['identifiers'], maxIdentifiers);
  refuseByPolicy(call, identifiers);
  const now = Date.now();
  const notBefore = readTime(payload, 'notBefore');
  if (notBefore !== null && notBefore > now + orderLifetime)
    throw problem('malformed', 'notBefore must not be more than one day in the future');
  const maxNotAfter = now + settings.lifetime;
  const notAfter = readTime(payload, 'notAfter') ?? maxNotAfter;
  if (notAfter <= now) throw problem('malformed', 'notAfter is in the past');
  const order: OrderRecord = {
    id: newId(),
    account: accountOf(call).id,
    status: 'pending',
    created: now,
    expires: now + orderLifetime,
    identifiers,
    // Certificates are valid immediately, and for no longer than the configured lifetime.
    notBefore: now - backdated,
    notAfter: Math.min(notAfter, maxNotAfter),
    authorizations: identifiers.map((identifier) => newAuthorization(identifier, settings.challenges)),
    certificate: null,
    error: null,
  };
  await book.saveOrder(order);
  return respond(call, order, 201);
}

/** Handles `POST /order/<id>`: returns an order. Also handles `POST /order/<id>/finalize`, which issues the certificate. */
export async function order(call: Call): Promise<ServerResponse> {
  const { book, segments } = call;
  const [id = '', action, ...more] = segments;
  if (more.length > 0 || (action !== undefined && action !== 'finalize')) throw noOrder();
  if (action === 'finalize') return book.turns.take(`order ${id}`, () => finalize(call, id));
  const found = await book.order(accountOf(call).id, id);
  if (found === null) throw noOrder();
  resumeValidations(call, found);
  return respond(call, found, 200);
}

async function finalize(call: Call, id: string): Promise<ServerResponse> {
  const { book, settings, payload } = call;
  const found = await book.order(accountOf(call).id, id);
  if (found === null) throw noOrder();
  if (found.status === 'valid') return respond(call, found, 200);
  const status = statusOf(found);
  if (status !== 'ready') throw problem('orderNotReady', `order is ${status}, not ready`);
  const encoded = payload?.['csr'];
  if (typeof encoded !== 'string' || !/^[A-Za-z0-9_-]+$/.test(encoded))
    throw problem('badCSR', 'csr must be DER, base64url-encoded without padding');
  const csr = Buffer.from(encoded, 'base64url');
  await checkCsr(csr, found.identifiers);
  // Check the policy again, because it may have changed since the order was created.
  refuseByPolicy(call, found.identifiers);
  const lifetime = Math.min(found.notAfter - Date.now(), settings.lifetime);
  if (lifetime <= 0) throw problem('malformed', 'validity period of the order has expired');
  const { certificate, chain } = await settings.issue({
    csr,
    names: found.identifiers.map(({ value }) => value),
    lifetime,
  });
  const issued = new X509Certificate(certificate);
  const fingerprint = createHash('sha256').update(issued.raw).digest('hex');
  await book.saveCertificate({
    id: fingerprint,
    account: found.account,
    identifiers: found.identifiers,
    chain,
    notAfter: issued.validToDate.getTime(),
    revoked: null,
  });
  const done: OrderRecord = { ...found, status: 'valid', certificate: fingerprint };
  await book.saveOrder(done);
  settings.report('info', 'issued certificate', {
    account: found.account,
    order: id,
    names: found.identifiers.map(({ value }) => value),
  });
  return respond(call, done, 200);
}

/** Derives the status of an order from its authorizations (RFC 8555 §7.1.6). */
export function statusOf({ status, expires, authorizations }: OrderRecord, now: number = Date.now()): OrderStatus {
  if (status !== 'pending') return status;
  if (expires <= now) return 'invalid';
  if (authorizations.every((each) => each.status === 'valid')) return 'ready';
  return authorizations.some((each) => each.status !== 'valid' && each.status !== 'pending') ? 'invalid' : 'pending';
}

function refuseByPolicy({ settings: { policy } }: Call, identifiers: readonly Identifier[]): void {
  const refused = identifiers.filter((identifier) => policy !== null && !policy.permits(identifier));
  if (refused.length === 0) return;
  const problems = refused.map((identifier) =>
    problem('rejectedIdentifier', 'not allowed by the issuance policy of this server', { identifier }),
  );
  const [first] = problems as [AcmeProblem];
  if (problems.length === 1) throw first;
  throw problem('rejectedIdentifier', 'some identifiers are not allowed by the issuance policy of this server', {
    subproblems: problems.map(({ document }) => document),
  });
}

/**
 * Creates an authorization with its challenges. Wildcard names can be validated only with DNS challenges (RFC 8555 §8.4). IP addresses
 * cannot be validated with DNS challenges (RFC 8738 §7).
 */
function newAuthorization(identifier: Identifier, offered: readonly ChallengeType[]): AuthorizationRecord {
  const wildcard = identifier.value.startsWith('*.');
  const types = offered.filter((type) =>
    wildcard ? type === 'dns-01' : identifier.type === 'dns' || type !== 'dns-01',
  );
  if (types.length === 0)
    throw problem('rejectedIdentifier', 'no challenge type offered by this server can validate this identifier', {
      identifier,
    });
  return {
    identifier: wildcard ? { type: 'dns', value: identifier.value.slice(2) } : identifier,
    wildcard,
    status: 'pending',
    token: randomBytes(24).toString('base64url'),
    challenges: types.map((type) => ({ type, status: 'pending', validated: null, error: null })),
  };
}

function readTime(payload: Call['payload'], name: 'notBefore' | 'notAfter'): number | null {
  const value = payload?.[name];
  if (value === undefined || value === null || value === '') return null;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw problem('malformed', `${name} is not an RFC 3339 time`);
  return time;
}

function noOrder(): Error {
  return problem('malformed', 'order does not exist, or belongs to another account', { status: 404 });
}

function respond({ base }: Call, order: OrderRecord, code: number): ServerResponse {
  const location = `${base}/order/${order.id}`;
  const resource: OrderResource & { readonly id: string } = {
    id: order.id,
    status: statusOf(order),
    expires: timestamp(order.expires),
    identifiers: order.identifiers,
    notBefore: timestamp(order.notBefore),
    notAfter: timestamp(order.notAfter),
    ...(order.error !== null && { error: order.error }),
    authorizations: order.authorizations.map((_, index) => `${base}/authz/${order.id}/${index}`),
    finalize: `${location}/finalize`,
    ...(order.certificate !== null && { certificate: `${base}/certificate/${order.certificate}` }),
  };
  return jsonResponse(code, resource, [['location', location]]);
}
