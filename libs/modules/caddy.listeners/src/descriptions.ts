/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  proxy_protocol: {
    syntax: ['proxy_protocol'],
    summary: 'Reads the client address from the PROXY protocol, as sent by load balancers.',
    options: [
      { syntax: 'timeout <time>', summary: 'Timeout for the PROXY header.' },
      { syntax: 'allow <range>…', summary: 'IP ranges whose PROXY header is accepted.' },
      { syntax: 'deny <range>…', summary: 'IP ranges that must not send a PROXY header; such connections are closed.' },
      { syntax: 'fallback_policy ignore|use|reject|require|skip', summary: 'Policy for other addresses.' },
    ],
    example: `{
	servers {
		listener_wrappers {
			proxy_protocol {
				timeout 2s
				allow 10.0.0.0/8
			}
			tls
		}
	}
}

:8080 {
	respond hi
}
`,
  },
  http_redirect: {
    syntax: ['http_redirect'],
    summary: 'Redirects plain HTTP on the HTTPS port. Must come before `tls`.',
    example: `{
	servers {
		listener_wrappers {
			http_redirect
			tls
		}
	}
}

:8080 {
	respond hi
}
`,
  },
  tls: {
    syntax: ['tls'],
    summary: 'Position of TLS among the listener wrappers.',
    example: `{
	servers {
		listener_wrappers {
			proxy_protocol
			tls
		}
	}
}

:8080 {
	respond hi
}
`,
  },
};
