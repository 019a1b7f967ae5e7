/** Sign-ins in progress. Each one is stored in an encrypted cookie in the browser that started it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly uri: string;
  /** Start time, in seconds since the Unix epoch. */
  readonly at: number;
}

/** Maximum duration of a sign-in, in seconds. */
export const maxDuration = 900;

/** Maximum number of concurrent sign-ins per browser, for example in separate tabs. */
export const slots = 4;

export function startPending(uri: string, at: number): PendingSignIn {
  const random = (): string => randomBytes(32).toString('base64url');
  return { state: random(), nonce: random(), verifier: random(), uri, at };
}

/** Returns the PKCE code challenge (RFC 7636 §4.2). */
export function challengeOf({ verifier }: PendingSignIn): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

export function writePending({ state, nonce, verifier, uri, at }: PendingSignIn): string {
  return JSON.stringify([state, nonce, verifier, uri, at]);
}

export function readPending(text: string): PendingSignIn | null {
  const [state, nonce, verifier, uri, at] = JSON.parse(text) as [string, string, string, string, number];
  return typeof at === 'number' ? { state, nonce, verifier, uri, at } : null;
}

/** Compares a received state with the pending one, in constant time. */
export function isState(pending: PendingSignIn, state: string): boolean {
  const [known, given] = [Buffer.from(pending.state), Buffer.from(state)];
  return known.length === given.length && timingSafeEqual(known, given);
}
