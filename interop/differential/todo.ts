/**
 * What is known to differ from the original, with the issue that will empty it. A row that begins to answer like the
 * original fails the run until it is removed from here.
 */
import type { TodoPath, TodoRows } from './verdict.ts';

/** Parts of many answers. */
export const todoPaths: readonly TodoPath[] = [];

export const todoRows: readonly TodoRows[] = [];
