/**
 * Builds the dashboard page in the workspace. Called by the target `build` of `apps/dashboard`, and by `npm start` with `--quick`, which
 * skips the slow compression.
 */
import { makeDashboard, workspacePage } from './make-dashboard.ts';

await makeDashboard(workspacePage, { compress: !process.argv.includes('--quick') });
