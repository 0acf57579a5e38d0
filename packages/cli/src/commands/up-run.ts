import { runCoreServer } from '@tributary/core-server';

/** A control plane, until it is told to stop. */
export async function runUp(args: readonly string[]): Promise<void> {
  process.exitCode = await runCoreServer({
    program: 'tributary up',
    args,
    engines: { sqlite: () => import('@tributary/storage-sqlite') },
  });
}
