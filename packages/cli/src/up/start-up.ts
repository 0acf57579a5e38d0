import { openStoreEarly } from './early-store.ts';
import { loadUp } from './load-up.ts';

/** Runs a control plane; its store is opened while its code is read. */
export async function startUp(args: readonly string[]): Promise<void> {
  const store = openStoreEarly(args);
  const { runUp, ...code } = await loadUp().catch(async (error: unknown) => {
    await store?.thread.worker.terminate(); // or the process would live on for it
    throw error;
  });
  await runUp(args, { store, ...code });
}
