/** Global options that are about all automation policies, written again: the policy for all names has what they say. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  durationWord,
  moduleLines,
  objectAt,
  valueAt,
  words,
  type Line,
  type WriteGlobalOption,
  type Written,
} from '@sluice/caddyfile';
import { catchAllOf, challengesOf, commonEmail, isInternal, issuersOf, policiesOf } from './automation-policies.ts';

/** The issuer over ACME of the policy for all names. Options about it, or `cert_issuer`, made it. */
function acmeOf(document: Json): JsonObject {
  const [first] = issuersOf(catchAllOf(document));
  return first?.['module'] === 'acme' ? first : {};
}

const ofIssuer =
  (field: string): WriteGlobalOption =>
  (document) => {
    const value = acmeOf(document)[field];
    return value === undefined ? null : [{ words: words(value), doubtful: 'in' }];
  };

const ofPolicy =
  (field: string): WriteGlobalOption =>
  (document) => {
    const value = catchAllOf(document)[field];
    return value === undefined ? null : [{ words: words(value), doubtful: 'in' }];
  };

/** `cert_lifetime TIME`: it makes no policy for all names, so that the first that has issuers shows it, too. */
const certLifetime: WriteGlobalOption = (document) => {
  const usual = acmeOf(document)['certificate_lifetime'];
  if (usual !== undefined) return [{ words: durationWord(usual), doubtful: 'in' }];
  const issuers = policiesOf(document).flatMap(issuersOf);
  const shown = issuers.map((issuer) => issuer['certificate_lifetime']).find((time) => time !== undefined);
  return shown === undefined ? null : [{ words: durationWord(shown), doubtful: 'out' }];
};

/** `email ADDRESS` */
const email: WriteGlobalOption = (document) => {
  const address = commonEmail(document);
  return address === '' ? null : [{ words: [address], doubtful: 'in' }];
};

/** `local_certs` */
const localCerts: WriteGlobalOption = (document) =>
  isInternal(issuersOf(catchAllOf(document))) ? [{ doubtful: 'in' }] : null;

/** `acme_eab { key_id …; mac_key … }` */
const acmeEab: WriteGlobalOption = (document) => {
  const account = acmeOf(document)['external_account'];
  if (!isObject(account)) return null;
  const block = ['key_id', 'mac_key'].map((name): Line => ({ words: [name, ...words(account[name])] }));
  return [{ block, doubtful: 'in' }];
};

/** `acme_dns PROVIDER …` */
const acmeDns: WriteGlobalOption = async (document, writer) => {
  const provider = objectAt(challengesOf(acmeOf(document)), ['dns'])['provider'];
  const lines = await moduleLines({ option: 'acme_dns', namespace: 'dns.providers', key: 'name' }, provider, writer);
  return lines.map((line): Written => ({ ...line, words: line.words.slice(1), doubtful: 'in' }));
};

/** `preferred_chains smallest | { … }` */
const preferredChains: WriteGlobalOption = (document) => {
  const chains = acmeOf(document)['preferred_chains'];
  return isObject(chains) ? [{ ...writtenChains(chains), doubtful: 'in' }] : null;
};

/** Chains as the directive `tls` and the global option have them. */
export function writtenChains(chains: JsonObject): Written {
  if (chains['smallest'] === true) return { words: ['smallest'] };
  return { block: Object.entries(chains).map(([name, names]): Line => ({ words: [name, ...words(names)] })) };
}

/** `cert_issuer NAME …`: the other way to say issuers. */
const certIssuer: WriteGlobalOption = async (document, writer) => {
  const issuers = issuersOf(catchAllOf(document));
  const doubtful = issuers.every(({ module }) => module === 'acme') || isInternal(issuers) ? 'out' : 'in';
  const option = { option: 'cert_issuer', namespace: 'tls.issuance', key: 'module' };
  const lines = await moduleLines(option, valueAt(catchAllOf(document), ['issuers']), writer);
  return lines.map((line): Written => ({ ...line, words: line.words.slice(1), doubtful }));
};

/** By name of the option. */
export const policyOptionWriters: Readonly<Record<string, WriteGlobalOption>> = {
  email,
  local_certs: localCerts,
  key_type: ofPolicy('key_type'),
  renewal_window_ratio: ofPolicy('renewal_window_ratio'),
  acme_ca: ofIssuer('ca'),
  acme_ca_root: ofIssuer('trusted_roots_pem_files'),
  acme_eab: acmeEab,
  acme_dns: acmeDns,
  cert_lifetime: certLifetime,
  preferred_chains: preferredChains,
  cert_issuer: certIssuer,
};
