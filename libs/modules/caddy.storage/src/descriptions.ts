/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  file_system: {
    syntax: ['file_system <folder>'],
    summary: 'Stores data as files in a directory.',
    options: [{ syntax: 'root <folder>', summary: 'The same option, on a line of the block.' }],
    example: `{
	storage file_system /var/lib/sluice
}

:8080 {
	respond hi
}
`,
  },
  etcd: {
    syntax: ['etcd [<endpoint...>]'],
    summary: 'Stores data in etcd.',
    options: [
      { syntax: 'endpoints <endpoint...>', summary: 'Nodes, as `host:port` or URLs.' },
      { syntax: 'prefix <text>', summary: 'Prefix of all keys.' },
      { syntax: 'username <name>', summary: 'User name, if etcd requires authentication.' },
      { syntax: 'password <text>', summary: 'Password of the user.' },
    ],
    example: `{
	storage etcd 10.0.0.1:2379 10.0.0.2:2379 {
		prefix /caddy
	}
}

:8080 {
	respond hi
}
`,
  },
  postgres: {
    syntax: ['postgres'],
    summary: 'Stores data in PostgreSQL.',
    options: [
      { syntax: 'host <host>', summary: 'Host of the server, or directory of its socket.' },
      { syntax: 'port <port>', summary: 'Port of the server.' },
      { syntax: 'user <name>', summary: 'User name.' },
      { syntax: 'password <text>', summary: 'Password of the user.' },
      { syntax: 'dbname <name>', summary: 'Name of the database.' },
      { syntax: 'sslmode disable|require|verify-full', summary: 'TLS mode.' },
    ],
    example: `{
	storage postgres {
		host 10.0.0.1
		user sluice
		sslmode verify-full
	}
}

:8080 {
	respond hi
}
`,
  },
  redis: {
    syntax: ['redis'],
    summary: 'Stores data in Redis or Valkey.',
    options: [
      { syntax: 'address <address...>', summary: 'Servers, as `host:port`; Sentinels if `master_name` is set.' },
      { syntax: 'host <host...>', summary: 'Hosts of the servers.' },
      { syntax: 'port <port...>', summary: 'Ports of the hosts.' },
      { syntax: 'db <number>', summary: 'Database number.' },
      { syntax: 'username <name>', summary: 'User name.' },
      { syntax: 'password <text>', summary: 'Password of the user.' },
      { syntax: 'master_name <name>', summary: 'Name of the primary in Sentinel.' },
      { syntax: 'key_prefix <text>', summary: 'Prefix of all keys.' },
      { syntax: 'tls_enabled [true|false]', summary: 'Connects with TLS.' },
      { syntax: 'tls_insecure [true|false]', summary: 'Disables certificate verification.' },
      { syntax: 'tls_server_certs_pem <pem>', summary: 'Trusted certificate authorities, in PEM format.' },
      { syntax: 'tls_server_certs_path <file>', summary: 'PEM file containing trusted certificate authorities.' },
    ],
    example: `{
	storage redis {
		address 10.0.0.1:6379
		username sluice
	}
}

:8080 {
	respond hi
}
`,
  },
  s3: {
    syntax: ['s3'],
    summary: 'Stores data in a bucket of Amazon S3 or a compatible server.',
    options: [
      { syntax: 'bucket <name>', summary: 'Name of the bucket.' },
      { syntax: 'endpoint <url>', summary: 'URL of the server.' },
      { syntax: 'host <host>', summary: 'Host of the server.' },
      { syntax: 'region <name>', summary: 'Region of the bucket.' },
      { syntax: 'access_id <id>', summary: 'Access key ID for signing requests.' },
      { syntax: 'access_key <id>', summary: 'Alias of `access_id`.' },
      { syntax: 'secret_key <text>', summary: 'Secret access key.' },
      { syntax: 'prefix <text>', summary: 'Prefix of all keys.' },
      {
        syntax: 'insecure [true|false]',
        summary: 'With `host`: connects without TLS. With `endpoint`: disables certificate verification.',
      },
      {
        syntax: 'use_path_style [true|false]',
        summary: 'Uses path-style URLs, in which the bucket is the first path segment.',
      },
    ],
    example: `{
	storage s3 {
		bucket certificates
		region eu-central-1
		prefix ssl
	}
}

:8080 {
	respond hi
}
`,
  },
};
