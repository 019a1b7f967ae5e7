/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  cookie: {
    syntax: ['cookie'],
    summary: 'Changes cookies of a request.',
    options: [
      { syntax: 'replace <name> <value>', summary: 'Replaces the value of a cookie.' },
      { syntax: 'hash <name>', summary: 'Puts the beginning of a hash in place of the value of a cookie.' },
      { syntax: 'delete <name>', summary: 'Removes a cookie.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>headers>Cookie cookie {
				hash session
				delete tracking
			}
		}
	}
}
`,
  },
  delete: {
    syntax: ['delete'],
    summary: 'Removes the field.',
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>headers delete
		}
	}
}
`,
  },
  hash: {
    syntax: ['hash'],
    summary: 'Puts the beginning of a hash in place of the value.',
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>remote_ip hash
		}
	}
}
`,
  },
  ip_mask: {
    syntax: ['ip_mask [<ipv4 bits> [<ipv6 bits>]]'],
    summary: 'Keeps the first bits of addresses.',
    options: [
      { syntax: 'ipv4 <bits>', summary: 'Bits that are kept of IPv4 addresses.' },
      { syntax: 'ipv6 <bits>', summary: 'Bits that are kept of IPv6 addresses.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>remote_ip ip_mask 16 32
		}
	}
}
`,
  },
  multi_regexp: {
    syntax: ['multi_regexp'],
    summary: 'Replaces what regular expressions match, one after the other.',
    options: [{ syntax: 'regexp <regexp> <replacement>', summary: 'An expression, and what replaces its matches.' }],
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>uri multi_regexp {
				regexp token=[^&]+ token=x
				regexp key=[^&]+ key=x
			}
		}
	}
}
`,
  },
  query: {
    syntax: ['query'],
    summary: 'Changes parameters of a URL.',
    options: [
      { syntax: 'replace <name> <value>', summary: 'Replaces the value of a parameter.' },
      { syntax: 'hash <name>', summary: 'Puts the beginning of a hash in place of the value of a parameter.' },
      { syntax: 'delete <name>', summary: 'Removes a parameter.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>uri query {
				replace token REDACTED
				delete debug
			}
		}
	}
}
`,
  },
  regexp: {
    syntax: ['regexp <regexp> <replacement>'],
    summary: 'Replaces what a regular expression matches. Several for a field become `multi_regexp`.',
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>uri regexp token=[^&]+ token=x
		}
	}
}
`,
  },
  rename: {
    syntax: ['rename <name>'],
    summary: 'Gives the field another name.',
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>remote_ip rename client
		}
	}
}
`,
  },
  replace: {
    syntax: ['replace <value>'],
    summary: 'Puts a text in place of the value.',
    example: `:8080 {
	log {
		output stdout
		format filter {
			request>headers>Authorization replace hidden
		}
	}
}
`,
  },
  set_cookie: {
    syntax: ['set_cookie'],
    summary: 'Changes cookies that a response sets.',
    options: [
      { syntax: 'replace <name> <value>', summary: 'Replaces the value of a cookie.' },
      { syntax: 'hash <name>', summary: 'Puts the beginning of a hash in place of the value of a cookie.' },
      { syntax: 'delete <name>', summary: 'Removes a cookie.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format filter {
			resp_headers>Set-Cookie set_cookie {
				hash session
			}
		}
	}
}
`,
  },
};
