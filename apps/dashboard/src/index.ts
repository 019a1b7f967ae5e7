/** Directory of the dashboard's files. The server passes this directory to its admin endpoint. */
import { fileURLToPath } from 'node:url';

/** Directory of the built dashboard page. The directory does not exist if the workspace was only compiled. */
export const pageFolder: string = fileURLToPath(new URL('../dist/page/', import.meta.url));
