/** `events.handlers.file`: appends each event as a JSON line to a file. */
import { appendFile } from 'node:fs/promises';
import { defineModule, eventHandlers, options, string, type EventHandler } from '@sluice/module';

/** Example: `{"subscriptions": [{"events": ["cert_obtained"], "handlers": [{"handler": "file", "path": "/var/log/certs"}]}]}` */
export const eventFileModule = defineModule(eventHandlers, {
  name: 'file',
  help: 'Appends each event to a file as a JSON line.',
  config: options({ path: string('Path of the file.') }),
  provision({ path }, context): EventHandler {
    if (path == null || path === '') throw context.error('the file path is missing', 'path');
    return { handle: (event) => appendFile(path, `${JSON.stringify(event)}\n`) };
  },
});
