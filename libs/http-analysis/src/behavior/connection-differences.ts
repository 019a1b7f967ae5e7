/** Differences that take effect before the server reads a request, such as HTTP versions, TLS versions, and certificates. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isArray, isObject, valueAt, type Json, type JsonObject } from '@sluice/base';
import { matchesName, normalName } from '@sluice/tls-app';
import type { ExplainRequest } from '../explain/types.ts';
import type { Difference } from './types.ts';

/** Connection properties for a server name. */
interface Reception {
  readonly minVersion: string;
  readonly clientCertificate: string | null;
  /** Names in the first configured certificate for the server name. `null` if there is none. */
  readonly certificate: string | null;
}

/** A configuration, and the server that receives the request in this configuration. */
export interface Receiver {
  readonly document: Json;
  readonly server: string;
}

/** HTTP versions, keyed by the names that the `protocols` option uses. */
const versions: ReadonlyMap<string, readonly string[]> = new Map([
  ['HTTP/1.0', ['h1']],
  ['HTTP/1.1', ['h1']],
  ['HTTP/2.0', ['h2', 'h2c']],
  ['HTTP/3.0', ['h3']],
]);
const defaultProtocols = ['h1', 'h2'];

/** Compares how two configurations accept the connection of a recorded request. */
export class ConnectionComparison {
  /** Certificate names, keyed by file name or PEM text. */
  readonly #certificates = new Map<string, readonly string[]>();

  differences(request: ExplainRequest, before: Receiver, after: Receiver): Difference[] {
    const { tls, protocol = '' } = request;
    const had = serverOf(before);
    const has = serverOf(after);
    if (had === null || has === null) return [];
    const found: Difference[] = [];
    const compare = (name: string, was: Json, is: Json): void => {
      if (was !== is) found.push({ aspect: 'connection', name, before: was, after: is });
    };
    const wanted = versions.get(protocol);
    const accepts = (server: JsonObject): boolean =>
      wanted === undefined || wanted.some((each) => (texts(server['protocols']) ?? defaultProtocols).includes(each));
    if (accepts(had) && !accepts(has)) compare('protocol', protocol, null);
    if (typeof tls !== 'object' || tls.version === undefined) return found;
    const name = normalName(tls.server_name ?? '');
    const [was, is] = [this.#reception(before.document, had, name), this.#reception(after.document, has, name)];
    if (was === null || is === null) return found;
    if (tls.version >= was.minVersion && tls.version < is.minVersion) compare('version', tls.version, null);
    compare('client certificate', was.clientCertificate, is.clientCertificate);
    compare('certificate', was.certificate, is.certificate);
    return found;
  }

  /** Returns the connection properties for a server name. Returns `null` if the policy depends on more than the server name. */
  #reception(document: Json, server: JsonObject, name: string): Reception | null {
    const policies = server['tls_connection_policies'];
    let policy: JsonObject = {};
    for (const each of policies !== undefined && isArray(policies) ? policies : []) {
      const applies = isObject(each) ? appliesTo(each, name) : false;
      if (applies === null) return null;
      if (!applies) continue;
      policy = each as JsonObject;
      break;
    }
    const authentication = policy['client_authentication'];
    const min = policy['protocol_min'];
    return {
      minVersion: typeof min === 'string' && min !== '' ? min : 'tls1.2',
      clientCertificate: authentication !== undefined && isObject(authentication) ? modeOf(authentication) : null,
      certificate: this.#certificateFor(document, name),
    };
  }

  #certificateFor(document: Json, name: string): string | null {
    if (name === '') return null;
    for (const loader of ['load_files', 'load_pem']) {
      const items = valueAt(document, ['apps', 'tls', 'certificates', loader]) ?? null;
      for (const item of isArray(items) ? items : []) {
        const source = isObject(item) ? item['certificate'] : undefined;
        if (typeof source !== 'string') continue;
        const names = this.#namesOf(loader, source);
        if (names.some((pattern) => matchesName(pattern, name))) return names.join(', ');
      }
    }
    return null;
  }

  #namesOf(loader: string, source: string): readonly string[] {
    const known = this.#certificates.get(source);
    if (known !== undefined) return known;
    let names: readonly string[] = [];
    try {
      const { subjectAltName = '' } = new X509Certificate(loader === 'load_files' ? readFileSync(source) : source);
      names = [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, dns = '']) => normalName(dns)).toSorted();
    } catch {
      // Ignore a certificate that cannot be read. The error was reported when the configuration was provisioned.
    }
    this.#certificates.set(source, names);
    return names;
  }
}

function serverOf({ document, server }: Receiver): JsonObject | null {
  const found = valueAt(document, ['apps', 'http', 'servers', server]) ?? null;
  return isObject(found) ? found : null;
}

/** Reports whether a connection policy applies to a server name. Returns `null` if the policy depends on other properties. */
function appliesTo(policy: JsonObject, name: string): boolean | null {
  const match = policy['match'];
  if (match === undefined || !isObject(match)) return true;
  const { sni, ...others } = match;
  const patterns = texts(sni);
  if (patterns !== null && !patterns.some((pattern) => matchesName(normalName(pattern), name))) return false;
  return Object.keys(others).length > 0 ? null : true;
}

/** Returns the client authentication mode if the policy rejects connections without a client certificate. */
function modeOf({ mode, ...authentication }: JsonObject): string | null {
  if (mode === 'request' || mode === 'verify_if_given') return null;
  return typeof mode === 'string' && mode !== '' ? mode : Object.keys(authentication).length > 0 ? 'require' : null;
}

function texts(value: Json | undefined): readonly string[] | null {
  return value !== undefined && isArray(value) && value.length > 0 ? value.map(String) : null;
}
