/** `sluice file-server`: serves a folder. */
import { fileServerConfig, type FileServerOptions } from '../quick/file-server-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Serves until it is asked to end. */
export function fileServer(options: FileServerOptions & WorkerOption): Promise<number> {
  return serveQuickly(fileServerConfig(options), options);
}
