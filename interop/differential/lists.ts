/** The lists that say which differences are known. */
import { differences } from './differences.ts';
import { todoPaths, todoRows } from './todo.ts';
import type { Lists } from './verdict.ts';

export const lists: Lists = { differences, todoRows, todoPaths };
