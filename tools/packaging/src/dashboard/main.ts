/** Makes the page of the dashboard in the workspace. The target `build` of `apps/dashboard` runs it, and `npm start`. */
import { makeDashboard, workspacePage } from './make-dashboard.ts';

await makeDashboard(workspacePage);
