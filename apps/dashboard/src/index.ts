/** Where the dashboard is: a folder of files that a browser loads. The server hands it to its admin endpoint. */
import { fileURLToPath } from 'node:url';

/** The folder of the page as it was built; it is not there in a workspace that was only compiled. */
export const pageFolder: string = fileURLToPath(new URL('../dist/page/', import.meta.url));
