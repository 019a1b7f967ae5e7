/**
 * Makes the page of the dashboard in the workspace. The target `build` of `apps/dashboard` runs it, and `npm start` with
 * `--quick`: then the files are not there compressed, which takes longer than making them.
 */
import { makeDashboard, workspacePage } from './make-dashboard.ts';

await makeDashboard(workspacePage, { compress: !process.argv.includes('--quick') });
