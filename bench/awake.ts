/**
 * Keeps this process from sleeping while something runs. A server whose client sleeps pays for waking it with every
 * answer, which in a virtual machine costs more than the answer; and it is the slower server whose client sleeps, so
 * that it would be charged for being slower twice.
 */
export async function whileAwake<T>(run: () => Promise<T>): Promise<T> {
  let isDone = false;
  const turn = () => {
    if (!isDone) setImmediate(turn);
  };
  turn();
  try {
    return await run();
  } finally {
    isDone = true;
  }
}
