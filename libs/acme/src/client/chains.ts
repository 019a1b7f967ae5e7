/** Selects one of the alternate certificate chains that a CA offers (RFC 8555 §7.4.2). */
import { X509Certificate } from 'node:crypto';
import { AcmeError } from '../protocol/acme-error.ts';
import type { ClientResponse } from './transport.ts';

/**
 * Preferences for selecting a certificate chain. The first non-empty preference applies. If no chain matches, the client uses the CA's
 * default chain.
 */
export interface ChainPreference {
  /** If true, prefers the shortest chain. */
  readonly smallest: boolean;
  /** Preferred root common names. The root is the issuer of the last certificate in the chain. */
  readonly rootCommonNames: readonly string[];
  /** Preferred common names. A chain matches if any of its issuers has one of these names. */
  readonly anyCommonNames: readonly string[];
}

interface Candidate {
  readonly url: string;
  readonly chain: string;
}

/** Fetches ACME resources on behalf of an account. */
interface Reader {
  post(url: string, payload: null, accept: string): Promise<ClientResponse>;
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Downloads a certificate chain. Also downloads the alternate chains if the preferences require a comparison. */
export async function chooseChain(client: Reader, url: string, preference: ChainPreference | null): Promise<Candidate> {
  const first = await download(client, url);
  if (preference === null) return first;
  const candidates = [first];
  for (const alternate of alternates(first.links, url)) candidates.push(await download(client, alternate));
  return preferred(candidates, preference);
}

async function download(client: Reader, url: string): Promise<Candidate & { readonly links: string }> {
  const { body, headers } = await client.post(url, null, 'application/pem-certificate-chain');
  const blocks = body.match(block);
  if (blocks === null) throw new AcmeError('ERR_ACME_AUTHORITY', `${url} returned no certificate`);
  return { url, chain: `${blocks.join('\n')}\n`, links: headers['link'] ?? '' };
}

/** Returns the target URLs of the `alternate` links in a `Link` header (RFC 8288). */
function alternates(links: string, base: string): readonly string[] {
  const found = links.matchAll(/<([^>]*)>([^<]*)/g);
  return [...found]
    .filter(([, , parameters]) => /;\s*rel\s*=\s*"?alternate"?/i.test(parameters ?? ''))
    .map(([, target]) => new URL(target ?? '', base).href);
}

function preferred(candidates: readonly Candidate[], preference: ChainPreference): Candidate {
  const { smallest, rootCommonNames, anyCommonNames } = preference;
  const [first] = candidates as [Candidate];
  const issuers = candidates.map(({ chain }) => issuersOf(chain));
  if (smallest) {
    const least = Math.min(...issuers.map(({ length }) => length));
    return candidates[issuers.findIndex(({ length }) => length === least)] ?? first;
  }
  for (const name of rootCommonNames) {
    const at = issuers.findIndex((names) => names.at(-1) === name);
    if (at >= 0) return candidates[at] ?? first;
  }
  for (const name of anyCommonNames) {
    const at = issuers.findIndex((names) => names.includes(name));
    if (at >= 0) return candidates[at] ?? first;
  }
  return first;
}

/** Returns the common names of the issuers in a chain. */
function issuersOf(chain: string): readonly string[] {
  return (chain.match(block) ?? []).map((pem) => {
    const line = new X509Certificate(pem).issuer.split('\n').find((each) => each.startsWith('CN='));
    return line?.slice('CN='.length) ?? '';
  });
}
