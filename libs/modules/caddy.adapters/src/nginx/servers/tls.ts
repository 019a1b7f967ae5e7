/** `ssl_*`: certificates and the policies of connections. */
import type { Adaptation } from '../adaptation.ts';
import { node, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Site } from '../site.ts';

const versions: Readonly<Record<string, string>> = { 'TLSv1.2': 'tls1.2', 'TLSv1.3': 'tls1.3' };

const modes: Readonly<Record<string, string>> = {
  on: 'require_and_verify',
  optional: 'verify_if_given',
  optional_no_ca: 'request',
};

/** The policies of the sites of an address: by the names that clients ask for, and the default's for all others. */
export function connectionPolicies(sites: readonly Site[], chosen: Site): Node[] {
  const named = sites.flatMap((site) => {
    const names = site.scope.own('server_name').flatMap(({ args }) => args);
    const sni = names.flatMap((name) =>
      /^[\w*][\w.-]*$/.test(name) && !name.endsWith('*')
        ? [name]
        : name.startsWith('.')
          ? [name.slice(1), `*${name}`]
          : [],
    );
    return sni.length === 0 ? [] : [{ match: { sni: [...new Set(sni)] }, ...policyOf(site) }];
  });
  return [...named, policyOf(chosen)];
}

function policyOf(site: Site): Node {
  const { scope } = site;
  const tag = certificateTag(site);
  return node({
    certificate_selection: tag === null ? undefined : { any_tag: [tag] },
    ...protocols(site),
    client_authentication: clientAuthentication(site),
    alpn: undefined,
    curves: scope.find('ssl_ecdh_curve') === undefined ? undefined : curves(site),
  });
}

/** Loads the certificate of a server; servers with the same files share it. */
function certificateTag(site: Site): string | null {
  const { adaptation, scope } = site;
  const certificates = scope.all('ssl_certificate');
  const keys = scope.all('ssl_certificate_key');
  if (certificates.length === 0) {
    adaptation.warn(site.directive, 'the server listens with ssl and has no ssl_certificate: its handshakes fail');
    return null;
  }
  const tag = certificates.map(({ args }) => adaptation.path(args[0] ?? '')).join(',');
  certificates.forEach((directive, i) => {
    const key = keys[i];
    if (key === undefined) throw problemAt(directive, 'ssl_certificate needs ssl_certificate_key with its key');
    const certificate = adaptation.path(directive.args[0] ?? '');
    adaptation.certificates.set(certificate, { certificate, key: adaptation.path(key.args[0] ?? ''), tags: [tag] });
  });
  return tag;
}

function protocols({ adaptation, scope }: Site): Readonly<Record<string, string | undefined>> {
  const directive = scope.find('ssl_protocols');
  if (directive === undefined) return {};
  const known = directive.args
    .filter((name) => Object.hasOwn(versions, name))
    .map((name) => versions[name] as string)
    .sort();
  const old = directive.args.filter((name) => !Object.hasOwn(versions, name));
  if (old.length > 0)
    adaptation.warn(directive, `${old.join(', ')} is not offered: TLS 1.2 is the oldest version here`);
  if (known.length === 0) throw problemAt(directive, 'ssl_protocols needs TLSv1.2 or TLSv1.3');
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
    adaptation.warn(directive, `of ${names.join(', ')} only ${found.join(', ') || 'none'} can be chosen here`);
  return found.length === 0 ? undefined : found;
}

function clientAuthentication({ adaptation, scope }: Site): Node | undefined {
  const verify = scope.find('ssl_verify_client');
  const mode = verify?.args[0] ?? 'off';
  if (verify === undefined || mode === 'off') return undefined;
  const known = modes[mode];
  if (known === undefined)
    throw problemAt(
      verify,
      `expected on, off, optional or optional_no_ca after ssl_verify_client, not ${JSON.stringify(mode)}`,
    );
  const authorities = scope.value('ssl_client_certificate') ?? scope.value('ssl_trusted_certificate');
  if (authorities === undefined)
    throw problemAt(verify, 'ssl_verify_client needs ssl_client_certificate with the authorities');
  return { mode: known, ca: { provider: 'file', pem_files: [adaptation.path(authorities)] } };
}

/** The app `tls` with what was loaded; `undefined` for nothing. */
export function tlsApp(adaptation: Adaptation): Node | undefined {
  if (adaptation.certificates.size === 0) return undefined;
  return { certificates: { load_files: [...adaptation.certificates.values()] } };
}
