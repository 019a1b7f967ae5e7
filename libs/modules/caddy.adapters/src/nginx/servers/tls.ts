/** Translates `ssl_*` directives to certificates and connection policies. */
import { own } from '@sluice/base';
import type { Adaptation } from '../adaptation.ts';
import { node, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { isOn } from '../syntax/directive.ts';
import { certificateName } from './certificate-name.ts';
import { clientAuthentication } from './client-certificates.ts';
import { policyMatch, type HandshakeNames } from './handshake-names.ts';

const versions: Readonly<Record<string, string>> = { 'TLSv1.2': 'tls1.2', 'TLSv1.3': 'tls1.3' };

/** Returns the connection policies for the sites of an address: one for each SNI name, and a default for all other names. */
export function connectionPolicies(names: readonly HandshakeNames[], chosen: Site): Node[] {
  const own = names.filter(({ site }) => site === chosen || hasPolicy(site));
  return [...own.map((each) => ({ match: policyMatch(each), ...policyOf(each.site) })), policyOf(chosen)];
}

/**
 * Reports whether a server has a connection policy of its own. As in nginx, a server without a certificate uses the default server's TLS
 * settings.
 */
function hasPolicy({ adaptation, scope, directive }: Site): boolean {
  if (scope.find('ssl_certificate') !== undefined || rejects(scope)) return true;
  adaptation.warn(
    directive,
    'server listens with ssl but has no ssl_certificate; its handshakes use the default server',
  );
  return false;
}

function rejects(scope: Scope): boolean {
  return isOn(scope.find('ssl_reject_handshake'));
}

function policyOf(site: Site): Node {
  const { scope } = site;
  if (rejects(scope)) return { drop: true };
  const tag = certificateTag(site);
  const first = scope.find('ssl_certificate');
  return node({
    certificate_selection: tag === null ? undefined : { any_tag: [tag] },
    fallback_sni:
      first === undefined ? undefined : (certificateName(site.adaptation.path(first.args[0] ?? '')) ?? undefined),
    ...protocols(site),
    client_authentication: clientAuthentication(site),
    curves: scope.find('ssl_ecdh_curve') === undefined ? undefined : curves(site),
  });
}

/** Loads the certificate of a server and returns its tag. Servers with the same files share a certificate. */
function certificateTag(site: Site): string | null {
  const { adaptation, scope } = site;
  const certificates = scope.all('ssl_certificate');
  const keys = scope.all('ssl_certificate_key');
  if (certificates.length === 0) {
    adaptation.warn(site.directive, 'server listens with ssl but has no ssl_certificate; its handshakes fail');
    return null;
  }
  const tag = certificates.map(({ args }) => adaptation.path(args[0] ?? '')).join(',');
  certificates.forEach((directive, i) => {
    const key = keys[i];
    if (key === undefined) throw problemAt(directive, 'ssl_certificate requires ssl_certificate_key');
    const certificate = adaptation.path(directive.args[0] ?? '');
    adaptation.certificates.set(certificate, { certificate, key: adaptation.path(key.args[0] ?? ''), tags: [tag] });
  });
  return tag;
}

function protocols({ adaptation, scope }: Site): Readonly<Record<string, string | undefined>> {
  const directive = scope.find('ssl_protocols');
  if (directive === undefined) return {};
  const known = directive.args.flatMap((name) => own(versions, name) ?? []).sort();
  const old = directive.args.filter((name) => !Object.hasOwn(versions, name));
  if (old.length > 0) adaptation.warn(directive, `${old.join(', ')} is not supported: TLS 1.2 is the minimum version`);
  if (known.length === 0) throw problemAt(directive, 'ssl_protocols requires TLSv1.2 or TLSv1.3');
  return { protocol_min: known[0], protocol_max: known.at(-1) };
}

function curves({ adaptation, scope }: Site): string[] | undefined {
  const directive = scope.find('ssl_ecdh_curve');
  const known: Readonly<Record<string, string>> = {
    X25519: 'x25519',
    prime256v1: 'secp256r1',
    secp256r1: 'secp256r1',
    secp384r1: 'secp384r1',
    secp521r1: 'secp521r1',
  };
  const names = (directive?.args[0] ?? 'auto').split(':').filter((name) => name !== 'auto');
  const found = names.flatMap((name) => known[name] ?? []);
  if (directive !== undefined && found.length < names.length)
    adaptation.warn(
      directive,
      `${names.join(', ')}: some of these curves are not supported and are ignored; supported: ${found.join(', ') || 'none'}`,
    );
  return found.length === 0 ? undefined : found;
}

/** Returns the `tls` app with the loaded certificates, or `undefined` if no certificate is loaded. */
export function tlsApp(adaptation: Adaptation): Node | undefined {
  if (adaptation.certificates.size === 0) return undefined;
  return { certificates: { load_files: [...adaptation.certificates.values()] } };
}
