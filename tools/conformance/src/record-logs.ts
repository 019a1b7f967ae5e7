/** Records Caddy's log entries for the cases in `logs/cases.json`. node src/record-logs.ts CADDY */
import { readCases } from './logs/cases.ts';
import { playLogs } from './logs/play.ts';
import { writeRecording } from './recordings.ts';

const [, , caddy] = process.argv;
if (caddy === undefined) throw new Error('usage: node src/record-logs.ts CADDY');
const recorded = await playLogs([caddy], readCases());
writeRecording('logs', recorded);
console.log(`${Object.keys(recorded).length} cases recorded`);
