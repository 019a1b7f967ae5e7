/** `sluice file-server`: serves the files in a directory. */
import { fileServerConfig, type FileServerOptions } from '../quick/file-server-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Serves the directory until a shutdown is requested. */
export function fileServer(options: FileServerOptions & WorkerOption): Promise<number> {
  return serveQuickly(fileServerConfig(options), options);
}
