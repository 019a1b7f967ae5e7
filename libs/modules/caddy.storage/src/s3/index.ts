/** `caddy.storage.s3`: options and layout of the modules of this name that there are for the reference (ss098's, techknowlogick's). */
import { storages, storageTimesToken } from '@sluice/contracts';
import { boolean, defineModule, options, string } from '@sluice/registry';
import type { S3Credentials } from './address.ts';

const config = options({
  bucket: string('Name of the bucket. It has to be there.'),
  endpoint: string('URL of the server. Default: `https://` and the host.'),
  host: string('Host of the server, with a port if it has one of its own. Default: that of Amazon in the region.'),
  region: string('Region of the bucket. Default: `us-east-1`.'),
  access_id: string(
    'Id of the key that requests are signed with. Default: the environment variable `AWS_ACCESS_KEY_ID`; without it requests are not signed.',
  ),
  access_key: string('Another name of `access_id`.'),
  secret_key: string('The key. Default: the environment variable `AWS_SECRET_ACCESS_KEY`.'),
  prefix: string('What all keys begin with, before a slash. Default: nothing.'),
  insecure: boolean('With `host`: without TLS. With an `endpoint`: takes any certificate. Default: false.'),
  use_path_style: boolean(
    'Whether the bucket is the first segment of paths. Default: unless the server is Amazon, where it is a part of the host.',
  ),
});

/** The module. The client is loaded when it is used, and connects then. */
export const s3Module = defineModule(storages, {
  name: 's3',
  help: 'Keeps data in a bucket of Amazon S3, or of a server that speaks its API and writes on condition.',
  config,
  async provision(chosen, context) {
    const { bucket } = chosen;
    if (bucket === undefined || bucket === null || bucket === '')
      throw context.error('needs the name of a bucket', 'bucket');
    const region = chosen.region || 'us-east-1';
    const insecure = chosen.insecure === true;
    const host = chosen.host || `s3.${region}.amazonaws.com`;
    const text = chosen.endpoint || `${insecure && chosen.host ? 'http' : 'https'}://${host}`;
    const endpoint = URL.parse(text);
    if (endpoint === null || !/^https?:$/.test(endpoint.protocol) || endpoint.pathname !== '/')
      throw context.error(`${JSON.stringify(text)} is not a URL of a server`, chosen.endpoint ? 'endpoint' : 'host');
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
