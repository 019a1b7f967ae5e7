/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  proxy_protocol: {
    syntax: ['proxy_protocol'],
    summary: 'Reads who the client is from the PROXY protocol, which balancers speak.',
    options: [
      { syntax: 'timeout <time>', summary: 'How long the header may take.' },
      { syntax: 'allow <range>…', summary: 'From which addresses the header is taken.' },
      { syntax: 'deny <range>…', summary: 'From which addresses connections with it are refused.' },
      { syntax: 'fallback_policy ignore|use|reject|require|skip', summary: 'What is done with other addresses.' },
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
    summary: 'Redirects plain HTTP that arrives at the port of HTTPS. Stands before `tls`.',
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
    summary: 'Where TLS begins among the wrappers.',
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
