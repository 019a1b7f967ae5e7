/** The lines of stores on servers, as the modules of these names for the reference have them. */
import type { StoreLines } from './caddyfile.ts';

/** `storage etcd [ENDPOINT…] { … }` */
export const etcdLines: StoreLines = {
  lines: { endpoints: 'words', prefix: 'word', username: 'word', password: 'word' },
  first: 'endpoints',
};

/** `storage redis { … }` */
export const redisLines: StoreLines = {
  lines: {
    address: 'words',
    host: 'words',
    port: 'words',
    db: 'number',
    username: 'word',
    password: 'word',
    master_name: 'word',
    key_prefix: 'word',
    tls_enabled: 'switch',
    tls_insecure: 'switch',
    tls_server_certs_pem: 'word',
    tls_server_certs_path: 'word',
  },
};

/** `storage postgres { … }` */
export const postgresLines: StoreLines = {
  lines: { host: 'word', port: 'number', user: 'word', password: 'word', dbname: 'word', sslmode: 'word' },
};

/** `storage s3 { … }` */
export const s3Lines: StoreLines = {
  lines: {
    bucket: 'word',
    endpoint: 'word',
    host: 'word',
    region: 'word',
    access_id: 'word',
    access_key: 'word',
    secret_key: 'word',
    prefix: 'word',
    insecure: 'switch',
    use_path_style: 'switch',
  },
};
