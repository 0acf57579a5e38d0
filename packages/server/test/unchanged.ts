import { eventually, turns } from '../../../test/harness/index.ts';

/** Far more than what is written takes to the other end of a connection within this process. */
const TURNS = 300;

/** Returns a number once it stays the same although the event loop turns: its writer waits for something. */
export function unchanged(what: string, read: () => number): Promise<number> {
  return eventually(
    () => `${what} stands still, is ${read()}`,
    async () => {
      const before = read();
      await turns(TURNS);
      return before === read() && before > 0 ? before : undefined;
    },
    { everyMs: 0 },
  );
}
