/** What the global options of the server itself say of themselves. */
import type { Description } from './description.ts';

/** By name. */
export const coreDescriptions: Readonly<Record<string, Description>> = {
  debug: {
    syntax: ['debug'],
    summary: 'Sets the level of the default log to `DEBUG`.',
    example: `{
	debug
}
`,
  },
  persist_config: {
    syntax: ['persist_config off'],
    summary: 'The configuration is not saved, so that it can not be resumed after a restart.',
    example: `{
	persist_config off
}
`,
  },
  admin: {
    syntax: ['admin off', 'admin [<address>]'],
    summary: 'Where the admin API listens, or that there is none. It is `localhost:2019` where nothing is said.',
    options: [
      { syntax: 'origins <origin>…', summary: 'Origins, or hosts, from which requests are accepted.' },
      { syntax: 'enforce_origin', summary: 'Requests have to have an `Origin` that is accepted.' },
    ],
    example: `{
	admin localhost:2020 {
		origins localhost:2020 admin.example.com
	}
}
`,
  },
  storage: {
    syntax: ['storage <module> …'],
    summary: 'Where certificates, keys and other data are kept.',
    module: 'caddy.storage',
    example: `{
	storage file_system /var/lib/sluice
}
`,
  },
  log: {
    syntax: ['log [<name>]'],
    summary: 'Changes the log of a name, or the default one.',
    options: [
      { syntax: 'output <writer> …', summary: 'Where it is written to.', module: 'caddy.logging.writers' },
      { syntax: 'format <encoder> …', summary: 'What lines look like.', module: 'caddy.logging.encoders' },
      { syntax: 'level <level>', summary: 'The lowest level: `DEBUG`, `INFO`, `WARN`, `ERROR`, `PANIC` or `FATAL`.' },
      { syntax: 'include <name>…', summary: 'Only what these loggers say is written.' },
      { syntax: 'exclude <name>…', summary: 'What these loggers say is left out.' },
    ],
    example: `{
	log {
		output file /var/log/sluice.log
		format json
		level WARN
	}
	log access {
		include http.log.access
	}
}
`,
  },
  order: {
    syntax: ['order <directive> first|last', 'order <directive> before|after <other>'],
    summary: 'Moves a directive in the order in which directives run. Needed for those that bring none.',
    example: `{
	order respond before redir
}
`,
  },
};

/** The core of logs for tests. */
export const mockCore: Description = {
  syntax: ['mock'],
  summary: 'Does nothing: for tests of configurations.',
  example: `:80 {
	log {
		core mock
	}
}
`,
};
