/** What the directive `templates` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const templates: Description = {
  syntax: ['templates [<matcher>]'],
  summary:
    "Runs the templates in response bodies: Go's template language with functions for files, requests and Markdown.",
  options: [
    {
      syntax: 'mime <type>…',
      summary: 'Which responses have templates: HTML, Markdown and plain text where nothing is said.',
    },
    { syntax: 'between <open> <close>', summary: 'Delimiters; `{{` and `}}` where nothing is said.' },
    { syntax: 'root <path>', summary: 'Where files are included from.' },
    { syntax: 'extensions', summary: 'Functions of packages.' },
  ],
  example: `:8080 {
	root /srv/www
	templates
	file_server
}
`,
};
