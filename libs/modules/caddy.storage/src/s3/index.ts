/**
 * The module `caddy.storage.s3`. Its options and key layout are those of the Caddy modules with the same name (by ss098 and
 * techknowlogick).
 */
import { storages, storageTimesToken } from '@sluice/contracts';
import { boolean, defineModule, options, string } from '@sluice/registry';
import type { S3Credentials } from './address.ts';

const config = options({
  bucket: string('Name of the bucket, which must exist.'),
  endpoint: string('URL of the S3 server. Default: `https://` followed by `host`.'),
  host: string('Host name of the S3 server, with an optional port. Default: the Amazon S3 host for the region.'),
  region: string('Region of the bucket. Default: `us-east-1`.'),
  access_id: string(
    'Access key ID for signing requests. Default: the value of the `AWS_ACCESS_KEY_ID` environment variable. If neither is set, requests are not signed.',
  ),
  access_key: string('Alias of `access_id`.'),
  secret_key: string('Secret access key. Default: the value of the `AWS_SECRET_ACCESS_KEY` environment variable.'),
  prefix: string('Prefix of all keys, followed by a slash. Default: none.'),
  insecure: boolean(
    'Connect without TLS if `host` is set, or disable certificate verification if `endpoint` is set. Default: false.',
  ),
  use_path_style: boolean(
    'Use path-style URLs, in which the bucket is the first path segment, instead of virtual-hosted-style URLs. Default: false for Amazon S3, true for other servers.',
  ),
});

/** The S3 client is loaded, and connects, on first use. */
export const s3Module = defineModule(storages, {
  name: 's3',
  help: 'Stores data in an Amazon S3 bucket, or on a compatible server that supports conditional writes.',
  config,
  async provision(chosen, context) {
    const { bucket } = chosen;
    if (bucket === undefined || bucket === null || bucket === '') throw context.error('bucket is missing', 'bucket');
    const region = chosen.region || 'us-east-1';
    const insecure = chosen.insecure === true;
    const host = chosen.host || `s3.${region}.amazonaws.com`;
    const text = chosen.endpoint || `${insecure && chosen.host ? 'http' : 'https'}://${host}`;
    const endpoint = URL.parse(text);
    if (endpoint === null || !/^https?:$/.test(endpoint.protocol) || endpoint.pathname !== '/')
      throw context.error(`${JSON.stringify(text)} is not a server URL`, chosen.endpoint ? 'endpoint' : 'host');
    const { S3Storage } = await import('./s3-storage.ts');
    const address = {
      endpoint,
      bucket,
      region,
      pathStyle: chosen.use_path_style ?? !endpoint.hostname.endsWith('.amazonaws.com'),
      insecure,
      credentials: credentialsOf(chosen.access_id || chosen.access_key, chosen.secret_key),
    };
    const storage = new S3Storage(
      address,
      (chosen.prefix ?? '').replace(/^\/+|\/+$/g, ''),
      context.find(storageTimesToken),
    );
    context.onDispose(() => storage.close());
    return storage;
  },
});

function credentialsOf(id: string | null | undefined, secret: string | null | undefined): S3Credentials | null {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  const accessKeyId = id || AWS_ACCESS_KEY_ID;
  if (accessKeyId === undefined || accessKeyId === '') return null;
  return {
    accessKeyId,
    secretAccessKey: secret || (AWS_SECRET_ACCESS_KEY ?? ''),
    sessionToken: id ? '' : (AWS_SESSION_TOKEN ?? ''),
  };
}
