/** What the global options of the app `http` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By name. */
export const httpDescriptions: Readonly<Record<string, Description>> = {
  http_port: {
    syntax: ['http_port <port>'],
    summary: 'The port of plain HTTP within this server; 80 where nothing is said.',
    example: `{
	http_port 8080
}
`,
  },
  https_port: {
    syntax: ['https_port <port>'],
    summary: 'The port of HTTPS within this server; 443 where nothing is said.',
    example: `{
	https_port 8443
}
`,
  },
  grace_period: {
    syntax: ['grace_period <time>'],
    summary: 'How long requests may take to end when the configuration changes or the server stops.',
    example: `{
	grace_period 10s
}
`,
  },
  shutdown_delay: {
    syntax: ['shutdown_delay <time>'],
    summary: 'How long the server goes on before it stops. `{http.shutting_down}` tells health checks of it.',
    example: `{
	shutdown_delay 15s
}
`,
  },
  error_pages: {
    syntax: ['error_pages on|off'],
    summary:
      'Whether browsers get a small page for errors that no route responds to; `off`: an empty body, as other clients do. The reference does not have it.',
    example: `{
	error_pages off
}
`,
  },
  default_sni: {
    syntax: ['default_sni <name>'],
    summary: 'The name that stands for clients that send none.',
    example: `{
	default_sni example.com
}
`,
  },
  fallback_sni: {
    syntax: ['fallback_sni <name>'],
    summary: 'The name whose certificate is used where there is none for the name of the client.',
    example: `{
	fallback_sni example.com
}
`,
  },
  auto_https: {
    syntax: ['auto_https off|disable_redirects|disable_certs|ignore_loaded_certs'],
    summary: 'Turns parts of automatic HTTPS off.',
    example: `{
	auto_https disable_redirects
}
`,
  },
  default_bind: {
    syntax: ['default_bind <address>…'],
    summary: 'The addresses that sites listen on without the directive `bind`.',
    options: [{ syntax: 'protocols <name>…', summary: 'Only these protocols.' }],
    example: `{
	default_bind 127.0.0.1
}
`,
  },
  metrics: {
    syntax: ['metrics'],
    summary: 'Counts and measures requests.',
    options: [
      { syntax: 'per_host', summary: 'Counts each host by itself.' },
      { syntax: 'observe_catchall_hosts', summary: 'Counts hosts that no route names, too, at most 1000 per server.' },
    ],
    example: `{
	metrics {
		per_host
	}
}
`,
  },
  filesystem: {
    syntax: ['filesystem <name> <module> …'],
    summary:
      'A file system that the directive `fs` and matchers find by its name. Its modules are packages of their own.',
    example: `{
	filesystem assets s3
}

:8080 {
	fs assets
	file_server
}
`,
  },
  servers: {
    syntax: ['servers [<listener>]'],
    summary: 'Settings of servers: all, or the one with a listener.',
    options: [
      { syntax: 'name <name>', summary: 'The name of the server, in metrics and in the JSON.' },
      {
        syntax: 'listener_wrappers',
        summary: 'What stands between a listener and HTTP, one a line.',
        module: 'caddy.listeners',
      },
      {
        syntax: 'timeouts',
        summary: 'Times of connections.',
        options: [
          { syntax: 'read_body <time>', summary: 'For reading a request with its body.' },
          { syntax: 'read_header <time>', summary: 'For reading the head of a request.' },
          { syntax: 'write <time>', summary: 'For writing a response.' },
          { syntax: 'idle <time>', summary: 'Between two requests of a connection.' },
        ],
      },
      { syntax: 'keepalive_interval <time>', summary: 'Between probes of a TCP connection.' },
      {
        syntax: 'trusted_proxies <source> …',
        summary: 'Whose `X-Forwarded-For` is believed.',
        module: 'http.ip_sources',
      },
      { syntax: 'trusted_proxies_strict', summary: 'Reads the addresses from right to left.' },
      { syntax: 'client_ip_headers <field>…', summary: 'Fields that tell the address of the client.' },
      { syntax: 'max_header_size <size>', summary: 'The largest head of a request.' },
      { syntax: 'enable_full_duplex', summary: 'Lets HTTP/1 responses begin while the request still comes.' },
      { syntax: 'log_credentials', summary: 'Logs cookies and authorizations.' },
      { syntax: 'protocols <name>…', summary: '`h1`, `h2`, `h2c`, `h3`.' },
      {
        syntax: 'strict_sni_host [on|insecure_off]',
        summary: 'The host of a request must be the name of its TLS connection.',
      },
      { syntax: 'error_pages on|off', summary: 'As the global option of the same name.' },
      { syntax: 'trace', summary: 'Logs each handler that runs.' },
    ],
    example: `{
	servers :443 {
		timeouts {
			read_body 10s
		}
		trusted_proxies static private_ranges
	}
}
`,
  },
};
