/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  inline: {
    syntax: ['inline'],
    summary: 'Certificates in the configuration itself.',
    options: [{ syntax: 'trust_der <base64>…', summary: 'Certificates: DER, base64-encoded.' }],
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
    summary: 'PEM files containing certificates.',
    options: [{ syntax: 'pem_file <path>…', summary: 'The same option, on a line of the block.' }],
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
    summary: "Root certificates of this server's certificate authorities.",
    options: [{ syntax: 'authority <authority>…', summary: 'The same option, on a line of the block.' }],
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
    summary: "Intermediate certificates of this server's certificate authorities.",
    options: [{ syntax: 'authority <authority>…', summary: 'The same option, on a line of the block.' }],
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
      { syntax: 'storage <module> …', summary: 'Storage. Default: that of the server.', module: 'caddy.storage' },
      { syntax: 'keys <key>…', summary: 'The same option, on a line of the block.' },
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
    summary: 'PEM certificates, downloaded when the configuration is loaded.',
    options: [
      { syntax: 'endpoints <url>…', summary: 'The same option, on a line of the block.' },
      {
        syntax: 'tls',
        summary: 'TLS settings.',
        options: [
          { syntax: 'ca <pool> …', summary: 'Trusted certificate authorities.', module: 'tls.ca_pool.source' },
          { syntax: 'insecure_skip_verify', summary: 'Disables certificate verification; for tests only.' },
          { syntax: 'handshake_timeout <time>', summary: 'TLS handshake timeout.' },
          { syntax: 'server_name <name>', summary: 'Server name for SNI and certificate verification.' },
          { syntax: 'renegotiation never|once|freely', summary: 'Accepted and kept in the JSON.' },
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
    summary: 'Combines certificates of several pools.',
    options: [{ syntax: 'source <pool> …', summary: 'CA pool.', module: 'tls.ca_pool.source' }],
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
    summary: 'Certificate authorities that the system trusts.',
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
