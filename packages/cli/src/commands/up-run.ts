import { flushCompileCache } from 'node:module';
import { runCoreServer } from '@tributary/core-server';

/** Node keeps compiled code when it ends; a server that will be killed one day should have left it, too. */
const CODE_KEPT_MS = 10_000;

/** A control plane, until it is told to stop. */
export async function runUp(args: readonly string[]): Promise<void> {
  setTimeout(flushCompileCache, CODE_KEPT_MS).unref();
  process.exitCode = await runCoreServer({
    program: 'tributary up',
    args,
    engines: { sqlite: () => import('@tributary/storage-sqlite') },
  });
}
