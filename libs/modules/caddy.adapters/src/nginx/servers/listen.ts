/** Translates `listen`, which specifies the addresses of a server. */
import { problemAt } from '../problem.ts';
import type { Adaptation } from '../adaptation.ts';
import type { Scope } from '../scope.ts';
import { argument, isOn, type Directive } from '../syntax/directive.ts';

/** A listen address. */
export interface Listen {
  readonly directive: Directive | null;
  /** Address in Sluice's format: `127.0.0.1:80`, `:80`, `unix//run/x.sock`. */
  readonly address: string;
  readonly port: number;
  readonly tls: boolean;
  readonly http2: boolean;
  readonly quic: boolean;
  readonly isDefault: boolean;
  readonly proxyProtocol: boolean;
}

const understood = new Set(['ssl', 'http2', 'quic', 'default_server', 'default', 'proxy_protocol']);

/** Parameters without effect, because Sluice or the operating system already behaves in this way. */
const needless = /^(?:reuseport|deferred|bind|spdy|so_keepalive=.*|backlog=.*|rcvbuf=.*|sndbuf=.*|fastopen=.*)$/;

/** Returns the addresses of a server. If there is no `listen` directive, the server listens on port 80. */
export function listensOf(adaptation: Adaptation, scope: Scope): Listen[] {
  const http2 = isOn(scope.find('http2'));
  const directives = scope.own('listen');
  if (directives.length === 0)
    return [
      {
        directive: null,
        address: 'tcp4/0.0.0.0:80',
        port: 80,
        tls: isOn(scope.find('ssl')),
        http2,
        quic: false,
        isDefault: false,
        proxyProtocol: false,
      },
    ];
  return directives.map((directive) => {
    const text = argument(directive, 0, 'an address or a port');
    const parameters = directive.args.slice(1);
    for (const parameter of parameters) checkParameter(adaptation, directive, parameter);
    const { host, port } = parseListen(directive, text);
    return {
      directive,
      address: text.startsWith('unix:') ? `unix/${text.slice(5)}` : `${addressOf(host, parameters)}:${port}`,
      port,
      tls: parameters.includes('ssl') || parameters.includes('quic') || isOn(scope.find('ssl')),
      http2: http2 || parameters.includes('http2'),
      quic: parameters.includes('quic'),
      isDefault: parameters.includes('default_server') || parameters.includes('default'),
      proxyProtocol: parameters.includes('proxy_protocol'),
    };
  });
}

function checkParameter(adaptation: Adaptation, directive: Directive, parameter: string): void {
  if (understood.has(parameter) || /^ipv6only=(?:on|off)$/.test(parameter)) return;
  if (needless.test(parameter))
    adaptation.warn(directive, `${parameter} has no effect: socket options are not configurable`);
  else if (/^(?:setfib|accept_filter)=/.test(parameter))
    adaptation.warn(directive, `${parameter} is not supported and is ignored`);
  else
    throw problemAt(
      directive,
      `expected a parameter of listen such as ssl or default_server, not ${JSON.stringify(parameter)}`,
    );
}

function parseListen(directive: Directive, text: string): { host: string; port: number } {
  if (text.startsWith('unix:')) return { host: '', port: 0 };
  const [, address = '', digits] = /^(\[[^\]]*\]|[^:]+?)(?::(\d+))?$/.exec(text) ?? [];
  const onlyPort = /^\d+$/.test(text);
  const host = onlyPort ? '*' : address;
  const port = Number(onlyPort ? text : (digits ?? 80));
  if (host === '' || port > 65_535)
    throw problemAt(directive, `expected an address or a port after listen, not ${JSON.stringify(text)}`);
  return { host, port };
}

/**
 * Returns the listen address. `0.0.0.0` is the IPv4 wildcard address, and `[::]` is the IPv6 wildcard address. If `ipv6only=off` is set,
 * `[::]` includes IPv4.
 */
function addressOf(host: string, parameters: readonly string[]): string {
  if (host === '*' || host === '0.0.0.0') return 'tcp4/0.0.0.0';
  if (host === '[::]') return parameters.includes('ipv6only=off') ? '' : 'tcp6/[::]';
  return host;
}
