/** Requests and responses of an ACME server, apart from any HTTP engine: plain data that can go between threads. */
import type { ProblemDocument } from '../protocol/problem.ts';

/** A request. */
export interface ServerRequest {
  readonly method: string;
  /** What all URLs of the server begin with, without a slash at the end: `https://ca.example/acme/local`. */
  readonly base: string;
  /** The rest of the path: `/new-order`. */
  readonly path: string;
  /** `null` without one. */
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

/** A response. */
export interface ServerResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Fields of a response. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A response without body. */
export function emptyResponse(status: number, headers: Fields = []): ServerResponse {
  return { status, headers, body: '' };
}

/** A response with JSON. */
export function jsonResponse(status: number, body: object, headers: Fields = []): ServerResponse {
  return { status, headers: [['content-type', 'application/json'], ...headers], body: JSON.stringify(body) };
}

/** An error document. */
export function problemResponse(status: number, document: ProblemDocument): ServerResponse {
  return { status, headers: [['content-type', 'application/problem+json']], body: JSON.stringify(document) };
}

/** A time as RFC 3339 writes it, in seconds. */
export function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
