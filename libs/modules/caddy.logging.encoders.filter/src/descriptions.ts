/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  cookie: {
    syntax: ['cookie'],
    summary: 'Changes request cookies.',
    options: [
      { syntax: 'replace <name> <value>', summary: 'Replaces the value of a cookie.' },
      { syntax: 'hash <name>', summary: 'Replaces the value of a cookie with a short hash.' },
      { syntax: 'delete <name>', summary: 'Deletes a cookie.' },
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
    summary: 'Deletes the field.',
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
    summary: 'Replaces the value with a short hash.',
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
    summary: 'Masks IP addresses, keeping only the leading bits.',
    options: [
      { syntax: 'ipv4 <bits>', summary: 'Number of bits to keep of IPv4 addresses.' },
      { syntax: 'ipv6 <bits>', summary: 'Number of bits to keep of IPv6 addresses.' },
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
    summary: 'Replaces matches of several regular expressions, in order.',
    options: [{ syntax: 'regexp <regexp> <replacement>', summary: 'Regular expression and replacement.' }],
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
    summary: 'Changes query parameters of a URL.',
    options: [
      { syntax: 'replace <name> <value>', summary: 'Replaces the value of a parameter.' },
      { syntax: 'hash <name>', summary: 'Replaces the value of a parameter with a short hash.' },
      { syntax: 'delete <name>', summary: 'Deletes a parameter.' },
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
    summary: 'Replaces matches of a regular expression. Several on the same field become `multi_regexp`.',
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
    summary: 'Renames the field.',
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
    summary: 'Replaces the value with a string.',
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
    summary: 'Changes response cookies.',
    options: [
      { syntax: 'replace <name> <value>', summary: 'Replaces the value of a cookie.' },
      { syntax: 'hash <name>', summary: 'Replaces the value of a cookie with a short hash.' },
      { syntax: 'delete <name>', summary: 'Deletes a cookie.' },
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
