/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  file_system: {
    syntax: ['file_system <folder>'],
    summary: 'Keeps data in files below a folder.',
    options: [{ syntax: 'root <folder>', summary: 'The same, as a line of the block.' }],
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
    summary: 'Keeps data in etcd.',
    options: [
      { syntax: 'endpoints <endpoint...>', summary: 'Nodes, as `host:port` or URLs.' },
      { syntax: 'prefix <text>', summary: 'What all keys begin with.' },
      { syntax: 'username <name>', summary: 'Who the server is, where etcd asks.' },
      { syntax: 'password <text>', summary: 'Its password.' },
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
    summary: 'Keeps data in PostgreSQL.',
    options: [
      { syntax: 'host <host>', summary: 'Host of the server, or the folder of its socket.' },
      { syntax: 'port <port>', summary: 'Its port.' },
      { syntax: 'user <name>', summary: 'Who we are.' },
      { syntax: 'password <text>', summary: 'The password of the user.' },
      { syntax: 'dbname <name>', summary: 'Name of the database.' },
      { syntax: 'sslmode disable|require|verify-full', summary: 'Whether connections are over TLS.' },
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
    summary: 'Keeps data in Redis or Valkey.',
    options: [
      { syntax: 'address <address...>', summary: 'Servers, as `host:port`; Sentinels with `master_name`.' },
      { syntax: 'host <host...>', summary: 'Their hosts.' },
      { syntax: 'port <port...>', summary: 'The ports of these.' },
      { syntax: 'db <number>', summary: 'Number of the database.' },
      { syntax: 'username <name>', summary: 'Who the server is.' },
      { syntax: 'password <text>', summary: 'The password of the user.' },
      { syntax: 'master_name <name>', summary: 'What Sentinels call the primary.' },
      { syntax: 'key_prefix <text>', summary: 'What all keys begin with.' },
      { syntax: 'tls_enabled [true|false]', summary: 'Connections over TLS.' },
      { syntax: 'tls_insecure [true|false]', summary: 'Takes any certificate.' },
      { syntax: 'tls_server_certs_pem <pem>', summary: 'PEM of the authorities of servers.' },
      { syntax: 'tls_server_certs_path <file>', summary: 'File of these.' },
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
    summary: 'Keeps data in a bucket of Amazon S3, or of a server that speaks its API.',
    options: [
      { syntax: 'bucket <name>', summary: 'Name of the bucket.' },
      { syntax: 'endpoint <url>', summary: 'URL of the server.' },
      { syntax: 'host <host>', summary: 'Host of the server.' },
      { syntax: 'region <name>', summary: 'Region of the bucket.' },
      { syntax: 'access_id <id>', summary: 'Id of the key that requests are signed with.' },
      { syntax: 'access_key <id>', summary: 'Another name of it.' },
      { syntax: 'secret_key <text>', summary: 'The key.' },
      { syntax: 'prefix <text>', summary: 'What all keys begin with.' },
      {
        syntax: 'insecure [true|false]',
        summary: 'With `host`: without TLS. With an `endpoint`: takes any certificate.',
      },
      { syntax: 'use_path_style [true|false]', summary: 'Whether the bucket is the first segment of paths.' },
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
