/**
 * Requests and responses of an ACME server, independent of an HTTP engine. The objects are plain data, so that threads can exchange them.
 */
import type { ProblemDocument } from '../protocol/problem.ts';

export interface ServerRequest {
  readonly method: string;
  /** URL prefix of the server, without a trailing slash: `https://ca.example/acme/local`. */
  readonly base: string;
  /** Rest of the path, such as `/new-order`. */
  readonly path: string;
  /** Content type, or `null` if the header field is missing. */
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

export interface ServerResponse {
  readonly status: number;
  /** Header fields with lowercase names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Fields of a response. */
export type Fields = readonly (readonly [name: string, value: string])[];

export function emptyResponse(status: number, headers: Fields = []): ServerResponse {
  return { status, headers, body: '' };
}

export function jsonResponse(status: number, body: object, headers: Fields = []): ServerResponse {
  return { status, headers: [['content-type', 'application/json'], ...headers], body: JSON.stringify(body) };
}

/** Returns an error document. */
export function problemResponse(status: number, document: ProblemDocument): ServerResponse {
  return { status, headers: [['content-type', 'application/problem+json']], body: JSON.stringify(document) };
}

/** Formats a time as RFC 3339, in seconds. */
export function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
