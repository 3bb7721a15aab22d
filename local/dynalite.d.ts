declare module 'dynalite' {
  import type { Server } from 'node:http';

  export interface DynaliteOptions {
    /** Folder of the LevelDB store; in memory if absent. */
    path?: string;
    createTableMs?: number;
  }

  const dynalite: (options?: DynaliteOptions) => Server;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default dynalite;
}
