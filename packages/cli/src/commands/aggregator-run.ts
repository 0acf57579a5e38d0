import { runStandalone } from '../standalone/run-standalone.ts';

/** An aggregator in front of a cluster, until it is told to stop. */
export async function runAggregator(args: readonly string[]): Promise<void> {
  process.exitCode = await runStandalone({
    program: 'tributary aggregator',
    args,
    engines: { sqlite: () => import('@tributary/storage-sqlite') },
  });
}
