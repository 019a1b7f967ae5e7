/** What the directives `rewrite`, `method`, `uri` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const rewrite: Description = {
  syntax: ['rewrite [<matcher>] <to>'],
  summary: 'Rewrites the path and query of the request internally. The client does not see the change.',
  example: `:8080 {
	rewrite /old/* /new{uri}
	file_server
}
`,
};

export const method: Description = {
  syntax: ['method [<matcher>] <method>'],
  summary: 'Changes the request method.',
  example: `:8080 {
	method /hook POST
	reverse_proxy localhost:9000
}
`,
};

export const uri: Description = {
  syntax: [
    'uri [<matcher>] strip_prefix <text>',
    'uri [<matcher>] strip_suffix <text>',
    'uri [<matcher>] replace <text> <replacement> [<limit>]',
    'uri [<matcher>] path_regexp <regexp> <replacement>',
    'uri [<matcher>] query [-|+]<key> [<value>]',
  ],
  summary: 'Changes part of the request URI. In queries, `+` adds a key, `-` deletes one, and `a>b` renames it.',
  example: `:8080 {
	uri /api/* strip_prefix /api
	uri query -utm_source
	reverse_proxy localhost:9000
}
`,
};
