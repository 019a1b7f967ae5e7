/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  'selection_policies.cookie': {
    syntax: ['cookie [<name> [<secret>]]'],
    summary: 'Binds clients to the upstream named in a cookie; sets the cookie in the first response.',
    options: [
      {
        syntax: 'fallback <policy> …',
        summary: 'Fallback policy if the request does not have the cookie.',
        module: 'http.reverse_proxy.selection_policies',
      },
      { syntax: 'max_age <time>', summary: 'Lifetime of the cookie.' },
    ],
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy cookie lb {
			fallback least_conn
		}
	}
}
`,
  },
  'selection_policies.header': {
    syntax: ['header <field>'],
    summary: 'Selects by the hash of a request header field.',
    options: [
      {
        syntax: 'fallback <policy> …',
        summary: 'Fallback policy if the request does not have the field.',
        module: 'http.reverse_proxy.selection_policies',
      },
    ],
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy header X-Tenant
	}
}
`,
  },
  'selection_policies.query': {
    syntax: ['query <key>'],
    summary: 'Selects by the hash of a query parameter.',
    options: [
      {
        syntax: 'fallback <policy> …',
        summary: 'Fallback policy if the request does not have the parameter.',
        module: 'http.reverse_proxy.selection_policies',
      },
    ],
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy query session
	}
}
`,
  },
  'selection_policies.random_choose': {
    syntax: ['random_choose <count>'],
    summary: 'Selects the upstream with the fewest requests out of several chosen at random.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy random_choose 2
	}
}
`,
  },
  'selection_policies.weighted_round_robin': {
    syntax: ['weighted_round_robin <weight>…'],
    summary: 'Selects in turn, by weight; one weight per upstream.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy weighted_round_robin 3 1
	}
}
`,
  },
  'selection_policies.client_ip_hash': {
    syntax: ['client_ip_hash'],
    summary: 'Selects by the hash of the client address, as reported by trusted proxies.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy client_ip_hash
	}
}
`,
  },
  'selection_policies.first': {
    syntax: ['first'],
    summary: 'Selects the first available upstream, in the configured order.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy first
	}
}
`,
  },
  'selection_policies.ip_hash': {
    syntax: ['ip_hash'],
    summary: 'Selects by the hash of the peer address.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy ip_hash
	}
}
`,
  },
  'selection_policies.least_conn': {
    syntax: ['least_conn'],
    summary: 'Selects the upstream with the fewest requests in flight.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy least_conn
	}
}
`,
  },
  'selection_policies.random': {
    syntax: ['random'],
    summary: 'Selects at random. This is the default.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy random
	}
}
`,
  },
  'selection_policies.round_robin': {
    syntax: ['round_robin'],
    summary: 'Selects in turn.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy round_robin
	}
}
`,
  },
  'selection_policies.uri_hash': {
    syntax: ['uri_hash'],
    summary: 'Selects by the hash of the path and query.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy uri_hash
	}
}
`,
  },
  'transport.fastcgi': {
    syntax: ['fastcgi'],
    summary: 'Connects to upstreams over FastCGI, such as php-fpm.',
    options: [
      { syntax: 'root <path>', summary: 'Root directory of scripts, as the upstream sees it.' },
      {
        syntax: 'split <suffix>…',
        summary: 'Suffix of script names; the rest of the path is `PATH_INFO`.',
      },
      { syntax: 'env <name> <value>', summary: 'Additional environment variable.' },
      { syntax: 'resolve_root_symlink', summary: 'Resolves the root if it is a symbolic link.' },
      { syntax: 'capture_stderr', summary: 'Logs the standard error of the upstream.' },
      { syntax: 'dial_timeout <time>', summary: 'Connect timeout.' },
      { syntax: 'read_timeout <time>', summary: 'Read timeout.' },
      { syntax: 'write_timeout <time>', summary: 'Write timeout.' },
    ],
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		transport fastcgi {
			root /srv/app
			split .php
		}
	}
}
`,
  },
  'transport.http': {
    syntax: ['http'],
    summary: 'Connects to upstreams over HTTP.',
    options: [
      { syntax: 'read_buffer <size>', summary: 'Size of the read buffer.' },
      { syntax: 'write_buffer <size>', summary: 'Size of the write buffer.' },
      { syntax: 'max_response_header <size>', summary: 'Maximum size of a response header.' },
      { syntax: 'read_timeout <time>', summary: 'Read timeout.' },
      { syntax: 'write_timeout <time>', summary: 'Write timeout.' },
      { syntax: 'dial_timeout <time>', summary: 'Connect timeout. Default: 3 seconds.' },
      { syntax: 'dial_fallback_delay <time>', summary: 'Delay before connecting over IPv4 if IPv6 does not respond.' },
      { syntax: 'response_header_timeout <time>', summary: 'Timeout for the response header.' },
      { syntax: 'expect_continue_timeout <time>', summary: 'Timeout for `100 Continue`.' },
      { syntax: 'resolvers <address>…', summary: 'DNS servers for upstream addresses.' },
      { syntax: 'proxy_protocol v1|v2', summary: 'Sends the client address with the PROXY protocol.' },
      { syntax: 'network_proxy <module> …', summary: 'Connects through a proxy.', module: 'caddy.network_proxy' },
      { syntax: 'forward_proxy_url <url>', summary: 'Deprecated name of `network_proxy url`.' },
      { syntax: 'versions <version>…', summary: 'HTTP versions: `1.1`, `2`, `h2c`.' },
      { syntax: 'compression off', summary: 'Does not request compressed responses from upstreams.' },
      { syntax: 'max_conns_per_host <count>', summary: 'Maximum number of connections per upstream.' },
      { syntax: 'local_address <address>', summary: 'Local address to connect from.' },
      { syntax: 'keepalive off|<time>', summary: 'Idle timeout of connections, or `off` to disable keep-alive.' },
      { syntax: 'keepalive_interval <time>', summary: 'Interval between keep-alive probes.' },
      { syntax: 'keepalive_idle_conns <count>', summary: 'Maximum number of idle connections.' },
      { syntax: 'keepalive_idle_conns_per_host <count>', summary: 'Maximum number of idle connections per upstream.' },
      { syntax: 'tls', summary: 'Connects to upstreams with TLS.' },
      {
        syntax: 'tls_client_auth <file> <file>|<name>',
        summary: 'Client certificate: files, or the name of a managed certificate.',
      },
      { syntax: 'tls_insecure_skip_verify', summary: 'Disables certificate verification; for tests only.' },
      { syntax: 'tls_curves <curve>…', summary: 'Key exchange curves.' },
      { syntax: 'tls_timeout <time>', summary: 'TLS handshake timeout.' },
      { syntax: 'tls_trusted_ca_certs <file>…', summary: 'Deprecated name of `tls_trust_pool file`.' },
      { syntax: 'tls_trust_pool <pool> …', summary: 'Trusted certificate authorities.', module: 'tls.ca_pool.source' },
      { syntax: 'tls_server_name <name>', summary: 'Server name for SNI and certificate verification.' },
      { syntax: 'tls_renegotiation never|once|freely', summary: 'Accepted and kept in the JSON.' },
      { syntax: 'tls_except_ports <port>…', summary: 'Ports to connect to without TLS.' },
    ],
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		transport http {
			dial_timeout 2s
			versions h2c
		}
	}
}
`,
  },
  'upstreams.a': {
    syntax: ['a [<name> <port>]'],
    summary: 'Discovers upstreams from the addresses of a host name.',
    options: [
      { syntax: 'name <name>', summary: 'Host name.' },
      { syntax: 'port <port>', summary: 'Port.' },
      { syntax: 'refresh <time>', summary: 'Time for which results are cached. Default: 1 minute.' },
      { syntax: 'resolvers <address>…', summary: 'DNS servers.' },
      { syntax: 'dial_timeout <time>', summary: 'Connect timeout for DNS servers.' },
      { syntax: 'dial_fallback_delay <time>', summary: 'Delay before connecting over IPv4 if IPv6 does not respond.' },
      { syntax: 'versions ipv4|ipv6…', summary: 'Address families to use.' },
    ],
    example: `:8080 {
	reverse_proxy {
		dynamic a app.internal 8080 {
			refresh 10s
		}
	}
}
`,
  },
  'upstreams.srv': {
    syntax: ['srv [<name>]'],
    summary: 'Discovers upstreams from SRV records.',
    options: [
      { syntax: 'service <name>', summary: 'Service, the first label of the name to look up.' },
      { syntax: 'proto tcp|udp', summary: 'Protocol, the second label.' },
      { syntax: 'name <name>', summary: 'Domain name.' },
      { syntax: 'refresh <time>', summary: 'Time for which results are cached. Default: 1 minute.' },
      {
        syntax: 'grace_period <time>',
        summary: 'Time for which expired results are still used while DNS lookups fail.',
      },
      { syntax: 'resolvers <address>…', summary: 'DNS servers.' },
      { syntax: 'dial_timeout <time>', summary: 'Connect timeout for DNS servers.' },
      { syntax: 'dial_fallback_delay <time>', summary: 'Delay before connecting over IPv4 if IPv6 does not respond.' },
    ],
    example: `:8080 {
	reverse_proxy {
		dynamic srv _app._tcp.internal {
			refresh 10s
		}
	}
}
`,
  },
  'upstreams.multi': {
    syntax: ['multi'],
    summary: 'Combines the upstreams of several sources.',
    options: [{ syntax: '<source> …', summary: 'Upstream source.', module: 'http.reverse_proxy.upstreams' }],
    example: `:8080 {
	reverse_proxy {
		dynamic multi {
			a app.internal 8080
			srv _app._tcp.internal
		}
	}
}
`,
  },
};
