/** ACME problem documents (RFC 8555 §6.7, RFC 7807). */

const prefix = 'urn:ietf:params:acme:error:';

/** Problem types (RFC 8555 §6.7, RFC 9773, and the profiles draft), with their default HTTP status codes. */
const statuses = {
  accountDoesNotExist: 400,
  alreadyReplaced: 409,
  alreadyRevoked: 400,
  badCSR: 400,
  badNonce: 400,
  badPublicKey: 400,
  badRevocationReason: 400,
  badSignatureAlgorithm: 400,
  caa: 403,
  compound: 400,
  connection: 400,
  dns: 400,
  externalAccountRequired: 403,
  incorrectResponse: 403,
  invalidContact: 400,
  invalidProfile: 400,
  malformed: 400,
  orderNotReady: 403,
  rateLimited: 429,
  rejectedIdentifier: 400,
  serverInternal: 500,
  tls: 400,
  unauthorized: 403,
  unsupportedContact: 400,
  unsupportedIdentifier: 400,
  userActionRequired: 403,
} as const;

/** Problem type without the URN prefix that RFC 8555 defines. */
export type ProblemType = keyof typeof statuses;

/** Identifier of an order or authorization (RFC 8555 §9.7.7, RFC 8738). */
export interface Identifier {
  readonly type: string;
  readonly value: string;
}

export interface ProblemDocument {
  readonly type: string;
  readonly detail?: string;
  readonly status?: number;
  readonly identifier?: Identifier;
  readonly subproblems?: readonly ProblemDocument[];
  /** Signature algorithms that the server supports, for a `badSignatureAlgorithm` problem. */
  readonly algorithms?: readonly string[];
}

const brand = Symbol.for('sluice.acme-problem');

/** An ACME problem that the server sends or the client receives. */
export class AcmeProblem extends Error {
  readonly code = 'ERR_ACME';
  readonly status: number;
  readonly document: ProblemDocument;

  constructor(status: number, document: ProblemDocument, cause?: unknown) {
    super(textOf(document), cause === undefined ? undefined : { cause });
    this.name = 'AcmeProblem';
    this.status = status;
    this.document = document;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns the problem type without the RFC 8555 prefix. If the prefix differs, returns the full type. */
  get type(): string {
    return shortType(this.document.type);
  }
}

/** Reports whether an error is an {@link AcmeProblem}, even if another copy of this package created the error. */
export function isAcmeProblem(error: unknown): error is AcmeProblem {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Creates a problem. `status` overrides the default HTTP status of the problem type. */
export function problem(type: ProblemType, detail: string, more: Partial<ProblemDocument> = {}): AcmeProblem {
  return new AcmeProblem(more.status ?? statuses[type], { type: prefix + type, detail, ...more });
}

function shortType(type: string): string {
  return type.startsWith(prefix) ? type.slice(prefix.length) : type;
}

/** Returns a one-line description of a problem: its type, its detail, and the problem reported for each identifier. */
function textOf({ type, detail, identifier, subproblems }: ProblemDocument): string {
  const about = identifier === undefined ? '' : ` (${identifier.value})`;
  const parts = (subproblems ?? []).map((each) => `; ${textOf(each)}`).join('');
  return `${shortType(type)}${about}${detail === undefined || detail === '' ? '' : `: ${detail}`}${parts}`;
}
