/** What the directives `vars`, `fs`, `root`, `log_skip`, `log_name` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const vars: Description = {
  syntax: ['vars [<matcher>] [<name> <value>]'],
  summary: 'Sets variables, available as `{vars.name}` and to the `vars` matcher.',
  example: `:8080 {
	vars greeting hello
	respond "{vars.greeting}"
}
`,
};

export const fs: Description = {
  syntax: ['fs [<matcher>] <name>'],
  summary: 'File system to serve files from, defined by the global option `filesystem`.',
  example: `:8080 {
	fs disk
	file_server
}
`,
};

export const root: Description = {
  syntax: ['root [<matcher>] <path>'],
  summary: 'Root directory to serve files from. Default: the working directory.',
  example: `:8080 {
	root /srv/www
	root /assets/* /srv/assets
	file_server
}
`,
};

export const logSkip: Description = {
  syntax: ['log_skip [<matcher>]'],
  summary: 'Excludes requests from the access log.',
  example: `:8080 {
	log
	log_skip /health
	respond hi
}
`,
};

export const logName: Description = {
  syntax: ['log_name [<matcher>] <name>…'],
  summary: 'Writes requests to other access loggers.',
  example: `:8080 {
	log
	log_name /api/* api
	respond hi
}
`,
};

export const skipLog: Description = {
  syntax: ['skip_log [<matcher>]'],
  summary: 'Deprecated name of `log_skip`.',
  example: `:8080 {
	log
	skip_log /health
	respond hi
}
`,
};
