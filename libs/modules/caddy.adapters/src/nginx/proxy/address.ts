/** Parses proxy addresses, such as `http://backend:8080/path` or `unix:/run/app.sock`. */
import { problemAt } from '../problem.ts';
import type { Directive } from '../syntax/directive.ts';

export interface ProxyAddress {
  readonly scheme: string;
  /** Host and port as written, the name of an `upstream`, or `unix:…`. */
  readonly host: string;
  /** URI after the host. `null` if absent, in which case the request target is not changed. */
  readonly uri: string | null;
}

export function parseAddress(directive: Directive, text: string): ProxyAddress {
  const [, scheme = '', rest = ''] = /^(https?|grpcs?|\$\w+):\/\/(.+)$/s.exec(text) ?? [];
  if (rest === '') {
    // `grpc_pass` without a scheme uses cleartext HTTP/2.
    if (directive.name === 'grpc_pass' && !text.includes('://')) return parseAddress(directive, `grpc://${text}`);
    if (text.startsWith('$')) return splitVariables('http', text);
    throw problemAt(
      directive,
      `expected an address such as http://127.0.0.1:8080 after ${directive.name}, not ${JSON.stringify(text)}`,
    );
  }
  const socket = /^unix:([^:]+)(?::(.*))?$/s.exec(rest);
  if (socket !== null) return { scheme, host: `unix:${socket[1] ?? ''}`, uri: socket[2] ?? null };
  const slash = rest.search(/[/?]/);
  if (slash < 0) return splitVariables(scheme, rest);
  return { scheme, host: rest.slice(0, slash), uri: rest.slice(slash) };
}

/** Separates variables from the host. In `http://127.0.0.1:8080$request_uri`, the variable after the port is the request target. */
function splitVariables(scheme: string, rest: string): ProxyAddress {
  const match = /^(.+?)(\$(?:request_uri|uri|document_uri)\b.*)$/s.exec(rest);
  return match === null ? { scheme, host: rest, uri: null } : { scheme, host: match[1] ?? '', uri: match[2] ?? '' };
}

export function dialOf(host: string, scheme: string): string {
  if (host.startsWith('unix:')) return `unix/${host.slice(5)}`;
  return /:\d+$|:\{[^}]*\}$/.test(host) || (/^\{.*\}$/.test(host) && !host.includes('}{'))
    ? host
    : `${host}:${scheme.endsWith('s') ? 443 : 80}`;
}
