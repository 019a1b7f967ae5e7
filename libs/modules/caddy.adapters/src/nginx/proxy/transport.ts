/** Translates settings of upstream connections: timeouts, TLS and keep-alive. */
import { node, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { isOn } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';
import { parseDuration } from '../text/values.ts';
import type { ProxyAddress } from './address.ts';

interface Connecting {
  readonly kind: string;
  readonly address: ProxyAddress;
  readonly keepalive: Node | undefined;
}

/** Returns the options of the `http` transport, or `undefined` if they all have default values. */
export function httpTransport(site: Site, scope: Scope, { kind, address, keepalive }: Connecting): Node | undefined {
  const grpc = kind === 'grpc';
  const transport = node({
    ...timeouts(scope, kind),
    response_header_timeout: timeout(scope, `${kind}_read_timeout`),
    tls: /^(?:https|grpcs)$/.test(address.scheme) ? upstreamTls(site, scope, kind) : undefined,
    keep_alive: keepalive,
    versions: grpc ? [address.scheme === 'grpcs' ? '2' : 'h2c'] : undefined,
    local_address: localAddress(scope, kind),
  });
  return Object.keys(transport).length === 0 ? undefined : { protocol: 'http', ...transport };
}

/** Returns the timeouts that all transports support. */
export function timeouts(scope: Scope, kind: string): Readonly<Record<string, string | undefined>> {
  return {
    dial_timeout: timeout(scope, `${kind}_connect_timeout`),
    read_timeout: timeout(scope, `${kind}_read_timeout`),
    write_timeout: timeout(scope, `${kind}_send_timeout`),
  };
}

function timeout(scope: Scope, name: string): string | undefined {
  const directive = scope.find(name);
  return directive === undefined ? undefined : parseDuration(directive, directive.args[0] ?? '');
}

function localAddress(scope: Scope, kind: string): string | undefined {
  const address = scope.value(`${kind}_bind`);
  return address === undefined || address === 'off' || address.startsWith('$') ? undefined : address;
}

/** Returns the TLS options for upstream connections. By default, nginx does not verify upstream certificates. */
function upstreamTls(site: Site, scope: Scope, kind: string): Node {
  const { adaptation } = site;
  const verify = isOn(scope.find(`${kind}_ssl_verify`));
  const path = (name: string): string | undefined => {
    const text = scope.value(`${kind}_${name}`);
    return text === undefined ? undefined : adaptation.path(text);
  };
  const roots = path('ssl_trusted_certificate');
  const name = scope.find(`${kind}_ssl_name`);
  if (!verify)
    adaptation.warn(
      scope.content(new Set([`${kind}_pass`])) ?? site.directive,
      `the upstream certificate is not verified, as in nginx without ${kind}_ssl_verify on`,
    );
  return node({
    insecure_skip_verify: verify ? undefined : true,
    ca: verify && roots !== undefined ? { provider: 'file', pem_files: [roots] } : undefined,
    server_name: name === undefined ? undefined : expandText(name.args[0] ?? '', { site, scope, at: name }),
    client_certificate_file: path('ssl_certificate'),
    client_certificate_key_file: path('ssl_certificate_key'),
  });
}
