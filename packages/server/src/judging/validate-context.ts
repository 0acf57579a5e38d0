import type { Waiting } from '../cancellation.ts';
import type { JudgingThread } from './judging-thread.ts';

/** What a judgement that takes long may use; who has an answer at hand does not look at it. */
export interface ValidateContext {
  readonly waiting: Waiting;
  readonly thread: JudgingThread;
}
