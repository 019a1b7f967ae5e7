/** Directory of the dashboard's files. The server passes it to its admin endpoint. */
import { fileURLToPath } from 'node:url';

/** Directory of the built page. It does not exist in a workspace that was only compiled. */
export const pageFolder: string = fileURLToPath(new URL('../dist/page/', import.meta.url));
