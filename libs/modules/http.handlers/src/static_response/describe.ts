/** What the directives `respond`, `redir` and `abort` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const respond: Description = {
  syntax: ['respond [<matcher>] <status>', 'respond [<matcher>] <body> [<status>]'],
  summary: 'Writes a fixed response. The body and status may contain placeholders. Default status: 200.',
  options: [
    { syntax: 'body <text>', summary: 'Response body, for strings that are easier to read on separate lines.' },
    { syntax: 'close', summary: 'Closes the connection after the response.' },
  ],
  example: `:8080 {
	respond /health 204
	respond <<HTML
		<h1>{host}</h1>
		HTML 200
}
`,
};

export const redir: Description = {
  syntax: ['redir [<matcher>] <to> [<status>|permanent|temporary|html]'],
  summary:
    'Redirects to another URI. Default status: 302. `html` writes a page that redirects in the browser, with a status that clients do not follow.',
  example: `:8080 {
	redir /old /new permanent
	redir /docs https://docs.example.com{uri}
}
`,
};

export const abort: Description = {
  syntax: ['abort [<matcher>]'],
  summary: 'Closes the connection without a response.',
  example: `:8080 {
	@scanners path *.asp *.cgi
	abort @scanners
}
`,
};
