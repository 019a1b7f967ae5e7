/**
 * Server process for the certificate trial. The process can suspend itself. The argument is the configuration. Each input line is a name to
 * manage.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createLogger, type Json } from '@sluice/base';
import { serve } from '@sluice/testing';
import { registerStopping } from './stopping-storage.ts';

const log = createLogger({
  enabled: (level) => level === 'error' || level === 'warn',
  write: ({ level, message, fields }) => writeSync(2, `${level} ${message} ${JSON.stringify(fields)}\n`),
});
const config = JSON.parse(process.argv[2] ?? 'null') as Json;
const server = await serve(config, { standard: true, register: [registerStopping], log });
writeSync(1, `${JSON.stringify({ serves: true })}\n`);
for await (const name of createInterface(process.stdin)) {
  const { status, text } = await server.admin('/config/apps/tls/certificates/automate', { json: name });
  if (status !== 200) writeSync(2, `${status} ${text}\n`);
}
process.exit();
