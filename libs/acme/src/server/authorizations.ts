/** Authorizations and their challenges (RFC 8555 §7.5). */
import { keyAuthorization } from '../protocol/challenge.ts';
import type { Jwk } from '../protocol/jwk.ts';
import { isAcmeProblem, problem, type ProblemDocument } from '../protocol/problem.ts';
import type { AuthorizationResource, AuthorizationStatus, ChallengeResource } from '../protocol/resources.ts';
import type { Book } from './book.ts';
import { accountOf, type Call } from './call.ts';
import { jsonResponse, timestamp, type ServerResponse } from './message.ts';
import type { AuthorizationRecord, ChallengeRecord, OrderRecord } from './records.ts';
import type { ServerSettings } from './settings.ts';

/** A stored authorization. */
interface Place {
  readonly order: OrderRecord;
  readonly index: number;
  readonly authorization: AuthorizationRecord;
}

/** Handles `POST /authz/<order>/<index>`: returns or deactivates an authorization. */
export async function authorization(call: Call): Promise<ServerResponse> {
  const { book, segments, payload, base } = call;
  let place = await find(call);
  if (segments.length !== 2) throw notFound();
  if (payload?.['status'] === 'deactivated') place = await deactivate(book, place);
  else if (payload?.['status'] !== undefined)
    throw problem('malformed', 'authorization status can only be set to "deactivated"');
  resumeValidations(call, place.order);
  const location = `${base}/authz/${place.order.id}/${place.index}`;
  return jsonResponse(200, resourceOf(base, place), [['location', location]]);
}

/** Handles `POST /challenge/<order>/<index>/<type>`: returns a challenge. If the request has a payload, also starts the validation. */
export async function challenge(call: Call): Promise<ServerResponse> {
  const { book, segments, payload, base } = call;
  const type = segments[2];
  let place = await find(call);
  if (segments.length !== 3 || !place.authorization.challenges.some((each) => each.type === type)) throw notFound();
  if (payload !== null) {
    const { order, index } = place;
    place = await change(book, order, index, (current) => begun(current, type as ChallengeRecord['type'], order));
  }
  resumeValidations(call, place.order);
  const found = place.authorization.challenges.find((each) => each.type === type) as ChallengeRecord;
  const resource = challengeResource(base, place, found);
  return jsonResponse(200, resource, [
    ['link', `<${base}/authz/${place.order.id}/${place.index}>;rel="up"`],
    ['location', resource.url],
  ]);
}

/**
 * Starts validation of each requested challenge that is not already being validated. Such a challenge is new, or a restart interrupted its
 * validation.
 */
export function resumeValidations({ book, settings, jwk }: Call, order: OrderRecord): void {
  for (const [index, each] of order.authorizations.entries()) {
    if (statusOf(each, order) !== 'pending') continue;
    const processing = each.challenges.find(({ status }) => status === 'processing');
    const name = `${order.id}/${index}`;
    if (processing === undefined || book.validating.has(name)) continue;
    const validation = validate(book, settings, jwk, {
      order,
      index,
      authorization: each,
      type: processing.type,
    }).finally(() => book.validating.delete(name));
    book.validating.set(name, validation);
  }
}

/** Validates a challenge and stores the result. The returned promise never rejects. */
async function validate(
  book: Book,
  settings: ServerSettings,
  jwk: Jwk,
  { order, index, authorization: { identifier, token }, type }: Place & Pick<ChallengeRecord, 'type'>,
): Promise<void> {
  let error: ProblemDocument | null = null;
  try {
    await settings.validator.validate({ type, identifier, token, authorization: keyAuthorization(token, jwk) });
  } catch (reason) {
    error = { ...documentOf(reason, settings, identifier.value), identifier };
    settings.report('info', 'challenge validation failed', {
      order: order.id,
      name: identifier.value,
      challenge: type,
      error: error.detail,
    });
  }
  try {
    await change(book, order, index, (current) => decided(current, type, error));
  } catch (reason) {
    // The stored challenge is unchanged, so the client's next request repeats the validation.
    settings.report('error', 'failed to store the result of a challenge', { order: order.id, error: reason });
  }
}

function documentOf(reason: unknown, settings: ServerSettings, name: string): ProblemDocument {
  if (isAcmeProblem(reason)) return reason.document;
  settings.report('error', 'failed to validate challenge', { name, error: reason });
  return problem('serverInternal', 'challenge could not be validated because of an internal error').document;
}

/** Updates one authorization in the stored order. */
async function change(
  book: Book,
  { account, id }: OrderRecord,
  index: number,
  to: (current: AuthorizationRecord) => AuthorizationRecord,
): Promise<Place> {
  return book.turns.take(`order ${id}`, async () => {
    const order = await book.order(account, id);
    const current = order?.authorizations[index];
    if (order === null || current === undefined) throw notFound();
    const next = to(current);
    if (next === current) return { order, index, authorization: current };
    const changed: OrderRecord = { ...order, authorizations: order.authorizations.with(index, next) };
    await book.saveOrder(changed);
    return { order: changed, index, authorization: next };
  });
}

/**
 * Marks a challenge as being validated. Does nothing if another challenge of the authorization is being validated, or if the authorization
 * is final.
 */
function begun(current: AuthorizationRecord, type: ChallengeRecord['type'], order: OrderRecord): AuthorizationRecord {
  const busy = current.challenges.some(({ status }) => status === 'processing');
  if (busy || statusOf(current, order) !== 'pending') return current;
  return withChallenge(current, type, { status: 'processing' });
}

function decided(
  current: AuthorizationRecord,
  type: ChallengeRecord['type'],
  error: ProblemDocument | null,
): AuthorizationRecord {
  if (current.status !== 'pending') return current;
  const result: Partial<ChallengeRecord> =
    error === null ? { status: 'valid', validated: Date.now() } : { status: 'invalid', error };
  return { ...withChallenge(current, type, result), status: error === null ? 'valid' : 'invalid' };
}

function withChallenge(
  current: AuthorizationRecord,
  type: ChallengeRecord['type'],
  result: Partial<ChallengeRecord>,
): AuthorizationRecord {
  const challenges = current.challenges.map((each) => (each.type === type ? { ...each, ...result } : each));
  return { ...current, challenges };
}

async function deactivate(book: Book, { order, index }: Place): Promise<Place> {
  return change(book, order, index, (current) => {
    if (current.status !== 'pending' && current.status !== 'valid') return current;
    return { ...current, status: 'deactivated' };
  });
}

async function find(call: Call): Promise<Place> {
  const [id = '', at = ''] = call.segments;
  const order = await call.book.order(accountOf(call).id, id);
  const index = /^\d{1,3}$/.test(at) ? Number(at) : -1;
  const found = order?.authorizations[index];
  if (order === null || found === undefined) throw notFound();
  return { order, index, authorization: found };
}

function notFound(): Error {
  return problem('malformed', 'authorization or challenge does not exist, or belongs to another account', {
    status: 404,
  });
}

/** Returns the stored status of an authorization, or `expired` if the order has expired. */
function statusOf({ status }: AuthorizationRecord, { expires }: OrderRecord): AuthorizationStatus {
  return expires <= Date.now() && (status === 'pending' || status === 'valid') ? 'expired' : status;
}

function resourceOf(base: string, place: Place): AuthorizationResource {
  const { order, authorization: record } = place;
  // Once an authorization is valid or invalid, its resource lists only the challenge that led to this status (RFC 8555 §7.1.4).
  const shown = record.challenges.filter(({ status }) => record.status === 'pending' || status !== 'pending');
  return {
    identifier: record.identifier,
    status: statusOf(record, order),
    challenges: shown.map((each) => challengeResource(base, place, each)),
    wildcard: record.wildcard,
    expires: timestamp(order.expires),
  };
}

function challengeResource(
  base: string,
  { order, index, authorization }: Place,
  record: ChallengeRecord,
): ChallengeResource {
  return {
    type: record.type,
    status: record.status,
    token: authorization.token,
    ...(record.validated !== null && { validated: timestamp(record.validated) }),
    url: `${base}/challenge/${order.id}/${index}/${record.type}`,
    ...(record.error !== null && { error: record.error }),
  };
}
