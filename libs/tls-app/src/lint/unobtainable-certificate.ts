/** Lint check SL037. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isArray, isObject, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { defineLint, nativeJson, type Report } from '@sluice/registry';

const example = (challenges: object): object => ({
  apps: {
    tls: { automation: { policies: [{ subjects: ['*.example.com'], issuers: [{ module: 'acme', challenges }] }] } },
  },
});

/** Matches names for which public CAs do not issue certificates. */
const internal =
  /^localhost$|\.(?:local|localhost|internal|intranet|lan|home|corp|test|invalid|example|home\.arpa)$|^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.|^[^.*:]+$/;

export const unobtainableCertificate = defineLint({
  code: 'SL037',
  name: 'unobtainable-certificate',
  severity: 'error',
  summary: 'A certificate cannot be obtained, is expired, or does not match its key.',
  details: `Public CAs issue wildcard certificates only with a DNS challenge, and issue no certificates for internal names; use the \`internal\` issuer for internal names. This check also examines certificate files: the certificate must not be expired, and the key must match the certificate.`,
  bad: nativeJson(example({})),
  good: nativeJson(example({ dns: { provider: { name: 'sample' } } })),
  check(configuration, report) {
    const path = ['apps', 'tls', 'automation', 'policies'];
    const policies = configuration.valueAt(path);
    for (const [index, policy] of (isArray(policies) ? policies : []).entries())
      if (isObject(policy)) checkPolicy(policy, [...path, String(index)], report);
    const files = ['apps', 'tls', 'certificates', 'load_files'];
    const loaded = configuration.valueAt(files);
    for (const [index, pair] of (isArray(loaded) ? loaded : []).entries())
      if (isObject(pair)) checkPair(pair, [...files, String(index)], report);
  },
});

function checkPolicy(policy: JsonObject, path: ConfigPath, report: Report): void {
  const issuers = own(policy, 'issuers');
  const subjects = own(policy, 'subjects');
  if (own(policy, 'on_demand') === true || !isArray(subjects) || own(policy, 'get_certificate')) return;
  const all = isArray(issuers) && issuers.length > 0 ? issuers : [{ module: 'acme' }];
  const publicOnes = all.filter(
    (issuer) => isObject(issuer) && ['acme', 'zerossl'].includes(String(own(issuer, 'module'))),
  );
  // If any issuer can issue the certificate, the other issuers are only fallbacks.
  if (publicOnes.length < all.length) return;
  const canWildcards = publicOnes.some((issuer) => usesDns(issuer) || hasOwnDirectory(issuer));
  const canInternal = publicOnes.some(hasOwnDirectory);
  for (const [index, subject] of subjects.entries()) {
    if (typeof subject !== 'string' || subject.includes('{')) continue;
    const at = [...path, 'subjects', String(index)];
    if (subject.startsWith('*.') && !canWildcards)
      report(
        at,
        `requires a DNS challenge, because it is a wildcard name: configure challenges.dns or challenges.dns-persist`,
      );
    else if (internal.test(subject) && !canInternal)
      report(at, `is an internal name, for which no public CA issues certificates: use the internal issuer`);
  }
}

function usesDns(issuer: Json): boolean {
  const challenges = isObject(issuer) ? own(issuer, 'challenges') : undefined;
  return isObject(challenges) && (Boolean(own(challenges, 'dns')) || Boolean(own(challenges, 'dns-persist')));
}

/** Reports whether an issuer uses a custom ACME directory. A custom CA may follow different rules from public CAs. */
function hasOwnDirectory(issuer: Json): boolean {
  const directory = isObject(issuer) ? own(issuer, 'ca') : undefined;
  return typeof directory === 'string' && !/letsencrypt\.org|zerossl\.com|pki\.goog|buypass\.com/.test(directory);
}

function checkPair(pair: JsonObject, path: ConfigPath, report: Report): void {
  const [file, keyFile] = [own(pair, 'certificate'), own(pair, 'key')];
  if (typeof file !== 'string' || typeof keyFile !== 'string') return;
  try {
    const certificate = new X509Certificate(readFileSync(file));
    if (certificate.validToDate.getTime() < Date.now())
      report(
        [...path, 'certificate'],
        `expired on ${certificate.validToDate.toISOString().slice(0, 10)}, so clients reject the certificate: replace it`,
      );
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile))))
      report([...path, 'key'], 'does not match the certificate: use the private key of the certificate');
  } catch {
    // Ignore missing and unreadable files. They are reported when the configuration is loaded.
  }
}
