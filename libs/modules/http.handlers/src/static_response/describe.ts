/** What the directives `respond`, `redir` and `abort` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const respond: Description = {
  syntax: ['respond [<matcher>] <status>', 'respond [<matcher>] <body> [<status>]'],
  summary: 'Writes a fixed response. Body and status may contain placeholders. The status is 200 where none is given.',
  options: [
    { syntax: 'body <text>', summary: 'The body, for texts that are easier to read on lines of their own.' },
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
    'Redirects to another address, by a 302 where nothing else is said. `html` writes a page that leads there, where a status of redirects is not followed.',
  example: `:8080 {
	redir /old /new permanent
	redir /docs https://docs.example.com{uri}
}
`,
};

export const abort: Description = {
  syntax: ['abort [<matcher>]'],
  summary: 'Ends the connection without a response, for requests that are not worth one.',
  example: `:8080 {
	@scanners path *.asp *.cgi
	abort @scanners
}
`,
};
