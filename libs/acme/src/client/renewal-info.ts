/** Renewal windows that a CA suggests through ACME Renewal Information (ARI, RFC 9773). */
import { AcmeError } from '../protocol/acme-error.ts';
import { certificateId } from '../protocol/certificate-id.ts';
import { jsonOf, retryAfter, type Session } from './session.ts';

/** A suggested renewal window. All times are in milliseconds since 1970. */
export interface SuggestedWindow {
  readonly start: number;
  readonly end: number;
  /** Time of the next query for the renewal window, in milliseconds since 1970. */
  readonly retryAt: number;
  /** URL of a page that explains the suggested window. */
  readonly explanation?: string;
}

interface RenewalInfo {
  readonly suggestedWindow?: { readonly start?: string; readonly end?: string };
  readonly explanationURL?: string;
}

const defaultRetry = 6 * 3_600_000;
const minRetry = 60_000;
const maxRetry = 24 * 3_600_000;

/** Fetches the renewal window for the first certificate in a PEM string. Returns `null` if the CA does not support ARI. */
export async function renewalInfo(session: Session, pem: string): Promise<SuggestedWindow | null> {
  const { renewalInfo: base } = await session.directory();
  const id = await certificateId(pem);
  if (base === undefined || id === null) return null;
  const url = `${base.replace(/\/$/, '')}/${id}`;
  const response = await session.get(url);
  const { suggestedWindow, explanationURL } = jsonOf(response, url) as RenewalInfo;
  const start = Date.parse(suggestedWindow?.start ?? '');
  const end = Date.parse(suggestedWindow?.end ?? '');
  // A window whose end is not after its start is invalid (RFC 9773 §4.2).
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start)
    throw new AcmeError('ERR_ACME_AUTHORITY', `${url} returned no renewal window`);
  const wait = Math.min(Math.max(retryAfter(response) ?? defaultRetry, minRetry), maxRetry);
  return {
    start,
    end,
    retryAt: Date.now() + wait,
    ...(typeof explanationURL === 'string' && { explanation: explanationURL }),
  };
}
