/** Connection placeholders (`{l4.*}`), and global placeholders. */
import { compileTemplate, joinHostPort, resolveGlobal, type Accessor, type Template, type Unknown } from '@sluice/base';
import { resolveTls } from '@sluice/http-app';
import type { Layer4Connection } from './connection/connection.ts';

export type Layer4Template = Template<Layer4Connection>;

const ofConnection: Readonly<Record<string, Accessor<Layer4Connection>>> = {
  'conn.remote_addr': ({ facts }) => address(facts.remoteAddress, facts.remotePort),
  'conn.local_addr': ({ facts }) => address(facts.localAddress, facts.localPort),
};

function address(host: string, port: number): string {
  return host === '' ? '' : joinHostPort(host, port);
}

/** Resolves a placeholder name. Returns `null` if the name can't be valid. */
export function resolveLayer4(name: string): Accessor<Layer4Connection> | null {
  if (!name.startsWith('l4.')) return resolveGlobal(name);
  const rest = name.slice(3);
  if (Object.hasOwn(ofConnection, rest)) return ofConnection[rest] ?? null;
  if (rest.startsWith('vars.')) return ofVariable(rest.slice(5));
  if (rest.startsWith('regexp.')) return ofRegexp(rest.slice(7));
  if (rest.startsWith('tls.')) return ofTls(rest);
  return (connection) => connection.value(rest);
}

function ofVariable(name: string): Accessor<Layer4Connection> {
  return (connection) => connection.variable(name) ?? '';
}

/** Resolves `{l4.regexp.<name>.<group>}`, or `{l4.regexp.<group>}` for an expression without a name. */
function ofRegexp(key: string): Accessor<Layer4Connection> {
  const dot = key.lastIndexOf('.');
  const [name, group] = dot < 0 ? ['', key] : [key.slice(0, dot), key.slice(dot + 1)];
  return (connection) => connection.captures(name)?.group(group) ?? '';
}

/**
 * Resolves TLS placeholders. After TLS termination, they contain the TLS details. Before that, they contain the ClientHello fields that the
 * `tls` matcher has read.
 */
function ofTls(rest: string): Accessor<Layer4Connection> {
  const terminated = resolveTls(rest.slice(4));
  return (connection) =>
    connection.facts.tls !== null && terminated !== null ? terminated(connection) : connection.value(rest);
}

export function compileLayer4Text(text: string, unknown: Unknown): Layer4Template {
  return compileTemplate(text, resolveLayer4, unknown);
}
