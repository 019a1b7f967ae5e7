/** Which version this is. Everything of ours is released together and has the same version. */
import { packageFile } from './installation.ts';

/** The version in the server's package.json. */
export const version: string = (JSON.parse(packageFile('package.json').toString()) as { version: string }).version;
