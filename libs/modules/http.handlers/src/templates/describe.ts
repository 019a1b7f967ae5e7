/** What the directive `templates` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const templates: Description = {
  syntax: ['templates [<matcher>]'],
  summary: 'Executes response bodies as Go templates, with functions for files, requests and Markdown.',
  options: [
    {
      syntax: 'mime <type>…',
      summary: 'Content types to execute as templates. Default: HTML, Markdown and plain text.',
    },
    { syntax: 'between <open> <close>', summary: 'Delimiters. Default: `{{` and `}}`.' },
    { syntax: 'root <path>', summary: 'Root directory for included files.' },
    { syntax: 'extensions', summary: 'Template functions of other packages.' },
  ],
  example: `:8080 {
	root /srv/www
	templates
	file_server
}
`,
};
