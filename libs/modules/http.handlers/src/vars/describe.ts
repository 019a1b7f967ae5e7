/** What the directives `vars`, `fs`, `root`, `log_skip`, `log_name` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const vars: Description = {
  syntax: ['vars [<matcher>] [<name> <value>]'],
  summary: 'Sets variables, which placeholders `{vars.name}` and the matcher `vars` read.',
  example: `:8080 {
	vars greeting hello
	respond "{vars.greeting}"
}
`,
};

export const fs: Description = {
  syntax: ['fs [<matcher>] <name>'],
  summary: 'Which file system files are served from: one of the global option `filesystem`.',
  example: `:8080 {
	fs disk
	file_server
}
`,
};

export const root: Description = {
  syntax: ['root [<matcher>] <path>'],
  summary: 'The folder that files are served from; the working folder where nothing is said.',
  example: `:8080 {
	root /srv/www
	root /assets/* /srv/assets
	file_server
}
`,
};

export const logSkip: Description = {
  syntax: ['log_skip [<matcher>]'],
  summary: 'Leaves requests out of the access log.',
  example: `:8080 {
	log
	log_skip /health
	respond hi
}
`,
};

export const logName: Description = {
  syntax: ['log_name [<matcher>] <name>…'],
  summary: 'Writes requests to access logs of other names.',
  example: `:8080 {
	log
	log_name /api/* api
	respond hi
}
`,
};

export const skipLog: Description = {
  syntax: ['skip_log [<matcher>]'],
  summary: 'The old name of `log_skip`.',
  example: `:8080 {
	log
	skip_log /health
	respond hi
}
`,
};
