/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  file_system: {
    syntax: ['file_system <folder>'],
    summary: 'Keeps data in files below a folder.',
    options: [{ syntax: 'root <folder>', summary: 'The same, as a line of the block.' }],
    example: `{
	storage file_system /var/lib/sluice
}

:8080 {
	respond hi
}
`,
  },
};
