/** Address and credentials of a Kubernetes API server. They come from a kubeconfig file or from service account files. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isArray, isObject, joinHostPort, own, valueError, type Json, type JsonObject } from '@sluice/base';
import { parse } from 'yaml';

export interface ClusterAccess {
  readonly server: URL;
  /** Namespace of the service account, or of the kubeconfig context. */
  readonly namespace: string;
  /** Options of `tls.connect`. */
  readonly tls: {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** Returns the bearer token. Rereads token files regularly, because Kubernetes rotates tokens. */
  token(): string | null;
}

/** Interval between reads of a token file, in milliseconds. Kubernetes rotates tokens after 80% of their lifetime. */
const tokenAge = 60_000;
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns the API server's address and credentials for use within a pod. Throws an error outside a cluster. */
export function inClusterAccess(
  environment: Readonly<Record<string, string | undefined>>,
  directory = serviceAccount,
): ClusterAccess {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'] ?? '443';
  if (host === undefined || host === '')
    throw valueError(
      'not in a cluster: KUBERNETES_SERVICE_HOST is not set; set kubeconfig to the path of a kubeconfig file',
    );
  return {
    server: new URL(`https://${joinHostPort(host, port)}`),
    namespace: readFileSync(`${directory}/namespace`, 'utf8').trim(),
    tls: { ca: readFileSync(`${directory}/ca.crt`) },
    token: tokenFile(`${directory}/token`),
  };
}

/** Returns the API server's address and credentials from a kubeconfig context. Defaults to the file's current context. */
export function kubeconfigAccess(file: string, contextName?: string): ClusterAccess {
  const config = parse(readFileSync(file, 'utf8')) as Json;
  if (!isObject(config)) throw valueError(`${file} is not a valid kubeconfig file`);
  const name = contextName ?? textAt(config, 'current-context');
  if (name === undefined) throw valueError(`${file} has no current-context; select a context by name`);
  const context = entry(config, 'context', name, file);
  const cluster = entry(config, 'cluster', textAt(context, 'cluster') ?? '', file);
  const userName = textAt(context, 'user');
  const user = userName === undefined ? {} : entry(config, 'user', userName, file);
  for (const plugin of ['exec', 'auth-provider'])
    if (own(user, plugin) !== undefined)
      throw valueError(`${file} uses ${plugin} for authentication, which is not supported; use a token or certificate`);
  const server = textAt(cluster, 'server') ?? '';
  if (!URL.canParse(server)) throw valueError(`${file} has an invalid server URL: ${JSON.stringify(server)}`);
  const data = (object: JsonObject, key: string): Buffer | undefined => {
    const encoded = textAt(object, `${key}-data`);
    if (encoded !== undefined) return Buffer.from(encoded, 'base64');
    const path = textAt(object, key);
    return path === undefined ? undefined : readFileSync(resolve(dirname(file), path));
  };
  const token = textAt(user, 'token');
  const path = textAt(user, 'tokenFile');
  const [ca, cert, key] = [
    data(cluster, 'certificate-authority'),
    data(user, 'client-certificate'),
    data(user, 'client-key'),
  ];
  const servername = textAt(cluster, 'tls-server-name');
  return {
    server: new URL(server),
    namespace: textAt(context, 'namespace') ?? 'default',
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(servername === undefined ? {} : { servername }),
      ...(own(cluster, 'insecure-skip-tls-verify') === true ? { rejectUnauthorized: false } : {}),
    },
    token: token !== undefined || path === undefined ? () => token ?? null : tokenFile(resolve(dirname(file), path)),
  };
}

function tokenFile(path: string): () => string {
  let text = readFileSync(path, 'utf8').trim();
  let readAt = performance.now();
  return () => {
    if (performance.now() - readAt > tokenAge) {
      text = readFileSync(path, 'utf8').trim();
      readAt = performance.now();
    }
    return text;
  };
}

function entry(config: JsonObject, key: string, name: string, file: string): JsonObject {
  const entries = own(config, `${key}s`);
  const found = isArray(entries) ? entries.find((each) => isObject(each) && own(each, 'name') === name) : undefined;
  const value = isObject(found) ? own(found, key) : undefined;
  if (!isObject(value)) throw valueError(`${file} has no ${key} named ${JSON.stringify(name)}`);
  return value;
}

function textAt(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
