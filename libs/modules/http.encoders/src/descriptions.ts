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
      { syntax: 'level <level>', summary: 'The same, as a line of the block.' },
      { syntax: 'disable_checksum', summary: 'Leaves the checksum out.' },
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
    summary: 'Compresses with Brotli. The reference only has files that are compressed already.',
    example: `:8080 {
	encode {
		br
		gzip
	}
}
`,
  },
};
