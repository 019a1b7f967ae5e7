/** Which version this is. Everything of ours is released together and has the same version. */
import { createRequire } from 'node:module';

/** The version in the server's package.json. */
export const version: string = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
