/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  gzip: {
    syntax: ['gzip [<level>]'],
    summary: 'Compresses with gzip; levels are 1 to 9.',
    example: `:8080 {
	encode {
		gzip 6
	}
}
`,
  },
  zstd: {
    syntax: ['zstd [<level>]'],
    summary: 'Compresses with Zstandard; levels are `fastest`, `default`, `better` and `best`.',
    options: [
      { syntax: 'level <level>', summary: 'The same option, on a line of the block.' },
      { syntax: 'disable_checksum', summary: 'Omits the checksum.' },
    ],
    example: `:8080 {
	encode {
		zstd better
	}
}
`,
  },
  br: {
    syntax: ['br'],
    summary: 'Compresses with Brotli. Caddy supports it only for precompressed files.',
    example: `:8080 {
	encode {
		br
		gzip
	}
}
`,
  },
};
