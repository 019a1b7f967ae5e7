/** The server as a library, for programs that embed it. */
export { startControl, type Control, type ControlOptions } from './control.ts';
export { registerStandard } from './register-standard.ts';
export { FileStore, type FileStoreOptions } from './persistence/file-store.ts';
export { WorkerReserve } from './workers/worker-reserve.ts';
