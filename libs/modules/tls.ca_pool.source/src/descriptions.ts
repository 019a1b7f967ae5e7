/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  inline: {
    syntax: ['inline'],
    summary: 'Certificates that are written in the file itself.',
    options: [{ syntax: 'trust_der <base64>…', summary: 'Certificates as base64 of DER.' }],
    example: `example.com {
	tls {
		client_auth {
			trust_pool inline {
				trust_der MIIBszCCAVmg
			}
		}
	}
}
`,
  },
  file: {
    syntax: ['file <path>…'],
    summary: 'Certificates of files, as PEM.',
    options: [{ syntax: 'pem_file <path>…', summary: 'The same, as a line of the block.' }],
    example: `example.com {
	tls {
		client_auth {
			trust_pool file /etc/clients/authority.pem
		}
	}
}
`,
  },
  pki_root: {
    syntax: ['pki_root <authority>…'],
    summary: 'Root certificates of authorities of this server.',
    options: [{ syntax: 'authority <authority>…', summary: 'The same, as a line of the block.' }],
    example: `example.com {
	tls {
		client_auth {
			trust_pool pki_root local
		}
	}
}
`,
  },
  pki_intermediate: {
    syntax: ['pki_intermediate <authority>…'],
    summary: 'Intermediate certificates of authorities of this server.',
    options: [{ syntax: 'authority <authority>…', summary: 'The same, as a line of the block.' }],
    example: `example.com {
	tls {
		client_auth {
			trust_pool pki_intermediate local
		}
	}
}
`,
  },
  storage: {
    syntax: ['storage <key>…'],
    summary: 'Certificates in a storage.',
    options: [
      { syntax: 'storage <module> …', summary: 'The storage, if not that of the server.', module: 'caddy.storage' },
      { syntax: 'keys <key>…', summary: 'The same, as a line of the block.' },
    ],
    example: `example.com {
	tls {
		client_auth {
			trust_pool storage clients/authority.pem
		}
	}
}
`,
  },
  http: {
    syntax: ['http <url>…'],
    summary: 'Certificates that are fetched, as PEM, when the configuration is loaded.',
    options: [
      { syntax: 'endpoints <url>…', summary: 'The same, as a line of the block.' },
      {
        syntax: 'tls',
        summary: 'How HTTPS is spoken.',
        options: [
          { syntax: 'ca <pool> …', summary: 'Authorities that are trusted.', module: 'tls.ca_pool.source' },
          { syntax: 'insecure_skip_verify', summary: 'Trusts any certificate: for tests.' },
          { syntax: 'handshake_timeout <time>', summary: 'How long handshakes may take.' },
          { syntax: 'server_name <name>', summary: 'The name that is asked for and checked.' },
          { syntax: 'renegotiation never|once|freely', summary: 'Kept in the JSON.' },
        ],
      },
    ],
    example: `example.com {
	tls {
		client_auth {
			trust_pool http https://authority.example.com/roots.pem
		}
	}
}
`,
  },
  combined: {
    syntax: ['combined'],
    summary: 'Certificates of several pools.',
    options: [{ syntax: 'source <pool> …', summary: 'A pool.', module: 'tls.ca_pool.source' }],
    example: `example.com {
	tls {
		client_auth {
			trust_pool combined {
				source system
				source file /etc/clients/authority.pem
			}
		}
	}
}
`,
  },
  system: {
    syntax: ['system'],
    summary: 'The authorities that the machine trusts.',
    example: `example.com {
	tls {
		client_auth {
			trust_pool combined {
				source system
			}
		}
	}
}
`,
  },
};
