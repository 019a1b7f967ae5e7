/** What the global options of the app `http` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By name. */
export const httpDescriptions: Readonly<Record<string, Description>> = {
  http_port: {
    syntax: ['http_port <port>'],
    summary: 'Port for plain HTTP within this server. Default: 80.',
    example: `{
	http_port 8080
}
`,
  },
  https_port: {
    syntax: ['https_port <port>'],
    summary: 'Port for HTTPS within this server. Default: 443.',
    example: `{
	https_port 8443
}
`,
  },
  grace_period: {
    syntax: ['grace_period <time>'],
    summary: 'Maximum time for requests in flight to complete when the configuration changes or the server stops.',
    example: `{
	grace_period 10s
}
`,
  },
  shutdown_delay: {
    syntax: ['shutdown_delay <time>'],
    summary: 'Delay before the server stops. Health checks can test `{http.shutting_down}` during it.',
    example: `{
	shutdown_delay 15s
}
`,
  },
  error_pages: {
    syntax: ['error_pages on|off'],
    summary:
      'Whether browsers receive a short error page if no route handles an error. `off` = an empty body, as for other clients. Not available in Caddy.',
    example: `{
	error_pages off
}
`,
  },
  default_sni: {
    syntax: ['default_sni <name>'],
    summary: 'Server name to assume when the client sends no SNI.',
    example: `{
	default_sni example.com
}
`,
  },
  fallback_sni: {
    syntax: ['fallback_sni <name>'],
    summary: "Server name whose certificate is used if there is none for the client's SNI.",
    example: `{
	fallback_sni example.com
}
`,
  },
  auto_https: {
    syntax: ['auto_https off|disable_redirects|disable_certs|ignore_loaded_certs'],
    summary: 'Disables automatic HTTPS, or parts of it.',
    example: `{
	auto_https disable_redirects
}
`,
  },
  default_bind: {
    syntax: ['default_bind <address>…'],
    summary: 'Default addresses to listen on for sites without the `bind` directive.',
    options: [{ syntax: 'protocols <name>…', summary: 'Protocols to enable.' }],
    example: `{
	default_bind 127.0.0.1
}
`,
  },
  metrics: {
    syntax: ['metrics'],
    summary: 'Enables request metrics.',
    options: [
      { syntax: 'per_host', summary: 'Adds a host label to metrics.' },
      { syntax: 'observe_catchall_hosts', summary: 'Includes hosts that no route names, up to 1000 per server.' },
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
    summary: 'File system, available by name to the `fs` directive and to matchers. Its modules are separate packages.',
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
    summary: 'Server settings, for all servers or for the one with a listener address.',
    options: [
      { syntax: 'name <name>', summary: 'Server name, in metrics and in the JSON.' },
      {
        syntax: 'listener_wrappers',
        summary: 'Listener wrappers, one per line.',
        module: 'caddy.listeners',
      },
      {
        syntax: 'timeouts',
        summary: 'Connection timeouts.',
        options: [
          { syntax: 'read_body <time>', summary: 'Timeout for reading a request including its body.' },
          { syntax: 'read_header <time>', summary: 'Timeout for reading a request header.' },
          { syntax: 'write <time>', summary: 'Timeout for writing a response.' },
          { syntax: 'idle <time>', summary: 'Timeout between two requests of a connection.' },
        ],
      },
      { syntax: 'keepalive_interval <time>', summary: 'Interval between TCP keep-alive probes.' },
      {
        syntax: 'trusted_proxies <source> …',
        summary: 'Source of trusted proxies, whose `X-Forwarded-For` is accepted.',
        module: 'http.ip_sources',
      },
      { syntax: 'trusted_proxies_strict', summary: 'Evaluates addresses from right to left.' },
      { syntax: 'client_ip_headers <field>…', summary: 'Header fields containing the client address.' },
      { syntax: 'max_header_size <size>', summary: 'Maximum size of a request header.' },
      { syntax: 'enable_full_duplex', summary: 'Allows HTTP/1 responses to start before the request is complete.' },
      { syntax: 'log_credentials', summary: 'Logs cookies and authorization headers.' },
      { syntax: 'protocols <name>…', summary: '`h1`, `h2`, `h2c`, `h3`.' },
      {
        syntax: 'strict_sni_host [on|insecure_off]',
        summary: 'Requires that the host of a request equals the server name of its TLS connection.',
      },
      { syntax: 'error_pages on|off', summary: 'Like the global option with the same name.' },
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
