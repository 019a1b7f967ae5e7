/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  'selection_policies.cookie': {
    syntax: ['cookie [<name> [<secret>]]'],
    summary: 'Keeps clients at the upstream that a cookie names; sets the cookie at the first response.',
    options: [
      {
        syntax: 'fallback <policy> …',
        summary: 'Chooses where the request does not have it.',
        module: 'http.reverse_proxy.selection_policies',
      },
      { syntax: 'max_age <time>', summary: 'How long the cookie lives.' },
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
    summary: 'Chooses by the hash of a header field.',
    options: [
      {
        syntax: 'fallback <policy> …',
        summary: 'Chooses where the request does not have it.',
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
    summary: 'Chooses by the hash of a parameter of the query.',
    options: [
      {
        syntax: 'fallback <policy> …',
        summary: 'Chooses where the request does not have it.',
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
    summary: 'Takes some at random, and of them the one with the fewest requests.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy random_choose 2
	}
}
`,
  },
  'selection_policies.weighted_round_robin': {
    syntax: ['weighted_round_robin <weight>…'],
    summary: 'Takes turns by weights, one for each upstream.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy weighted_round_robin 3 1
	}
}
`,
  },
  'selection_policies.client_ip_hash': {
    syntax: ['client_ip_hash'],
    summary: "Chooses by the hash of the client's address, as trusted proxies tell it.",
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy client_ip_hash
	}
}
`,
  },
  'selection_policies.first': {
    syntax: ['first'],
    summary: 'Takes the first that is available, in the order they are written.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy first
	}
}
`,
  },
  'selection_policies.ip_hash': {
    syntax: ['ip_hash'],
    summary: 'Chooses by the hash of the address that connects.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy ip_hash
	}
}
`,
  },
  'selection_policies.least_conn': {
    syntax: ['least_conn'],
    summary: 'Takes the one with the fewest requests under way.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy least_conn
	}
}
`,
  },
  'selection_policies.random': {
    syntax: ['random'],
    summary: 'Takes one at random. It is so where nothing is said.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy random
	}
}
`,
  },
  'selection_policies.round_robin': {
    syntax: ['round_robin'],
    summary: 'Takes turns.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy round_robin
	}
}
`,
  },
  'selection_policies.uri_hash': {
    syntax: ['uri_hash'],
    summary: 'Chooses by the hash of the path and the query.',
    example: `:8080 {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy uri_hash
	}
}
`,
  },
  'transport.fastcgi': {
    syntax: ['fastcgi'],
    summary: 'Speaks FastCGI with upstreams, such as php-fpm.',
    options: [
      { syntax: 'root <path>', summary: 'The folder of scripts, as the upstream knows it.' },
      {
        syntax: 'split <suffix>…',
        summary: 'What the name of the script ends with; the rest of the path is `PATH_INFO`.',
      },
      { syntax: 'env <name> <value>', summary: 'A variable that is sent along.' },
      { syntax: 'resolve_root_symlink', summary: 'Sends the real path of the folder.' },
      { syntax: 'capture_stderr', summary: 'Logs what the upstream writes to its standard error.' },
      { syntax: 'dial_timeout <time>', summary: 'How long connecting may take.' },
      { syntax: 'read_timeout <time>', summary: 'How long is waited for something to read.' },
      { syntax: 'write_timeout <time>', summary: 'How long is waited for something to be written.' },
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
    summary: 'Speaks HTTP with upstreams.',
    options: [
      { syntax: 'read_buffer <size>', summary: 'Size of the buffer that is read into.' },
      { syntax: 'write_buffer <size>', summary: 'Size of the buffer that is written from.' },
      { syntax: 'max_response_header <size>', summary: 'How large the header of a response may be.' },
      { syntax: 'read_timeout <time>', summary: 'How long is waited for something to read.' },
      { syntax: 'write_timeout <time>', summary: 'How long is waited for something to be written.' },
      { syntax: 'dial_timeout <time>', summary: 'How long connecting may take; 3 seconds if nothing is said.' },
      { syntax: 'dial_fallback_delay <time>', summary: 'How long IPv6 is tried alone before IPv4 is, too.' },
      { syntax: 'response_header_timeout <time>', summary: 'How long the header of a response may take.' },
      { syntax: 'expect_continue_timeout <time>', summary: 'How long is waited for `100 Continue`.' },
      { syntax: 'resolvers <address>…', summary: 'Name servers that are asked for addresses of upstreams.' },
      { syntax: 'proxy_protocol v1|v2', summary: 'Says who the client is by the PROXY protocol.' },
      { syntax: 'network_proxy <module> …', summary: 'Connects through a proxy.', module: 'caddy.network_proxy' },
      { syntax: 'forward_proxy_url <url>', summary: 'The old name of `network_proxy url`.' },
      { syntax: 'versions <version>…', summary: 'Versions of HTTP: `1.1`, `2`, `h2c`.' },
      { syntax: 'compression off', summary: 'Does not ask upstreams for compressed responses.' },
      { syntax: 'max_conns_per_host <count>', summary: 'How many connections there are to an upstream.' },
      { syntax: 'local_address <address>', summary: 'The address that connections come from.' },
      { syntax: 'keepalive off|<time>', summary: 'Whether connections are kept, and how long unused.' },
      { syntax: 'keepalive_interval <time>', summary: 'How often kept connections are checked.' },
      { syntax: 'keepalive_idle_conns <count>', summary: 'How many unused connections are kept.' },
      { syntax: 'keepalive_idle_conns_per_host <count>', summary: 'How many of them for one upstream.' },
      { syntax: 'tls', summary: 'Speaks TLS with the upstream.' },
      {
        syntax: 'tls_client_auth <file> <file>|<name>',
        summary: 'The certificate of the proxy: files, or a name that is managed here.',
      },
      { syntax: 'tls_insecure_skip_verify', summary: 'Trusts any certificate: for tests.' },
      { syntax: 'tls_curves <curve>…', summary: 'Curves of the key exchange.' },
      { syntax: 'tls_timeout <time>', summary: 'How long handshakes may take.' },
      { syntax: 'tls_trusted_ca_certs <file>…', summary: 'The old name of `tls_trust_pool file`.' },
      { syntax: 'tls_trust_pool <pool> …', summary: 'Authorities that are trusted.', module: 'tls.ca_pool.source' },
      { syntax: 'tls_server_name <name>', summary: 'The name that is asked for and checked.' },
      { syntax: 'tls_renegotiation never|once|freely', summary: 'Kept in the JSON.' },
      { syntax: 'tls_except_ports <port>…', summary: 'Ports for which TLS is not spoken.' },
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
    summary: 'Upstreams are the addresses of a name.',
    options: [
      { syntax: 'name <name>', summary: 'The name.' },
      { syntax: 'port <port>', summary: 'The port.' },
      { syntax: 'refresh <time>', summary: 'How long what was found is used; a minute if nothing is said.' },
      { syntax: 'resolvers <address>…', summary: 'Name servers that are asked.' },
      { syntax: 'dial_timeout <time>', summary: 'How long connecting to them may take.' },
      { syntax: 'dial_fallback_delay <time>', summary: 'How long IPv6 is tried alone before IPv4 is, too.' },
      { syntax: 'versions ipv4|ipv6…', summary: 'Which addresses are used.' },
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
    summary: 'Upstreams are what SRV records of a name say.',
    options: [
      { syntax: 'service <name>', summary: 'The first label of the name that is asked for.' },
      { syntax: 'proto tcp|udp', summary: 'The second one.' },
      { syntax: 'name <name>', summary: 'The name.' },
      { syntax: 'refresh <time>', summary: 'How long what was found is used; a minute if nothing is said.' },
      { syntax: 'grace_period <time>', summary: 'How long it is used on while the name servers fail.' },
      { syntax: 'resolvers <address>…', summary: 'Name servers that are asked.' },
      { syntax: 'dial_timeout <time>', summary: 'How long connecting to them may take.' },
      { syntax: 'dial_fallback_delay <time>', summary: 'How long IPv6 is tried alone before IPv4 is, too.' },
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
    summary: 'Upstreams of several sources.',
    options: [{ syntax: '<source> …', summary: 'A source.', module: 'http.reverse_proxy.upstreams' }],
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
