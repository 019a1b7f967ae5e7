/**
 * Builds the dashboard page in the workspace. The `build` target of `apps/dashboard` runs this file. `npm start` runs it with `--quick`,
 * which skips the slow compression.
 */
import { makeDashboard, workspacePage } from './make-dashboard.ts';

await makeDashboard(workspacePage, { compress: !process.argv.includes('--quick') });
