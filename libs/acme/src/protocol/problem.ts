/** Error documents of ACME (RFC 8555 §6.7, RFC 7807). */

const prefix = 'urn:ietf:params:acme:error:';

/** The types of RFC 8555 §6.7, RFC 9773 and the draft on profiles, with the HTTP status that goes with each. */
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

/** The part of a type after the prefix of RFC 8555. */
export type ProblemType = keyof typeof statuses;

/** An identifier as orders and authorizations have it (RFC 8555 §9.7.7, RFC 8738). */
export interface Identifier {
  readonly type: string;
  readonly value: string;
}

/** The JSON of a problem. */
export interface ProblemDocument {
  readonly type: string;
  readonly detail?: string;
  readonly status?: number;
  readonly identifier?: Identifier;
  readonly subproblems?: readonly ProblemDocument[];
  /** Signature algorithms that would do, with `badSignatureAlgorithm`. */
  readonly algorithms?: readonly string[];
}

const brand = Symbol.for('sluice.acme-problem');

/** An error that a client is told, or that a server told. */
export class AcmeProblem extends Error {
  readonly code = 'ERR_ACME';
  /** HTTP status. */
  readonly status: number;
  readonly document: ProblemDocument;

  constructor(status: number, document: ProblemDocument, cause?: unknown) {
    super(textOf(document), cause === undefined ? undefined : { cause });
    this.name = 'AcmeProblem';
    this.status = status;
    this.document = document;
    Object.defineProperty(this, brand, { value: true });
  }

  /** The type without the prefix of RFC 8555; the whole type where it is another's. */
  get type(): string {
    return shortType(this.document.type);
  }
}

/** Tells an {@link AcmeProblem} of any copy of this package. */
export function isAcmeProblem(error: unknown): error is AcmeProblem {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Makes a problem of a type; `status` where it is not the usual one of the type. */
export function problem(type: ProblemType, detail: string, more: Partial<ProblemDocument> = {}): AcmeProblem {
  return new AcmeProblem(more.status ?? statuses[type], { type: prefix + type, detail, ...more });
}

function shortType(type: string): string {
  return type.startsWith(prefix) ? type.slice(prefix.length) : type;
}

/** One line for people: type, detail, and what is wrong with each identifier. */
function textOf({ type, detail, identifier, subproblems }: ProblemDocument): string {
  const about = identifier === undefined ? '' : ` (${identifier.value})`;
  const parts = (subproblems ?? []).map((each) => `; ${textOf(each)}`).join('');
  return `${shortType(type)}${about}${detail === undefined || detail === '' ? '' : `: ${detail}`}${parts}`;
}
