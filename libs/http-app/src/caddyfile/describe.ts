/** What the directives `bind` and `log` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const bind: Description = {
  syntax: ['bind <address>…'],
  summary: 'The addresses, or network interfaces, that a site listens on; all where nothing is said.',
  options: [{ syntax: 'protocols <name>…', summary: 'Only these protocols.' }],
  example: `:8080 {
	bind 127.0.0.1 [::1]
	respond hi
}
`,
};

export const log: Description = {
  syntax: ['log [<name>]'],
  summary: 'Writes an access log of the site.',
  options: [
    { syntax: 'output <writer> …', summary: 'Where it is written to.', module: 'caddy.logging.writers' },
    { syntax: 'format <encoder> …', summary: 'What lines look like.', module: 'caddy.logging.encoders' },
    { syntax: 'level <level>', summary: 'The lowest level.' },
    { syntax: 'hostnames <name>…', summary: 'Only requests for these hosts.' },
    { syntax: 'no_hostname', summary: 'Used by `log_name` alone.' },
    {
      syntax: 'sampling',
      summary: 'Writes a part of many lines.',
      options: [
        { syntax: 'interval <time>', summary: 'Of what time.' },
        { syntax: 'first <count>', summary: 'So many are written.' },
        { syntax: 'thereafter <count>', summary: 'After that one of so many.' },
      ],
    },
  ],
  example: `:8080 {
	log {
		output file /var/log/site.log
		format console
	}
	respond hi
}
`,
};
