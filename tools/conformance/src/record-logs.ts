/**
 * Records Caddy's log entries for the cases in `logs/cases.json`.
 *   node src/record-logs.ts CADDY
 */
import { writeFileSync } from 'node:fs';
import { readCases, recordedFile } from './logs/cases.ts';
import { playLogs } from './logs/play.ts';

const [, , caddy] = process.argv;
if (caddy === undefined) throw new Error('usage: node src/record-logs.ts CADDY');
const recorded = await playLogs([caddy], readCases());
writeFileSync(recordedFile, `${JSON.stringify(recorded, null, 2)}\n`);
console.log(`${Object.keys(recorded).length} cases recorded`);
