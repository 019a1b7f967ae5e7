/** Exports the directory of the dashboard's files, which the server passes to its admin endpoint. */
import { fileURLToPath } from 'node:url';

/** Directory of the built dashboard page. The directory does not exist if the workspace was compiled without building the page. */
export const pageFolder: string = fileURLToPath(new URL('../dist/page/', import.meta.url));
