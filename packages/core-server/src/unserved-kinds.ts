/** Kinds of the core group that a control plane without nodes does not serve, and that every client knows. */
import { Binding } from './generated/core-v1.ts';

export const unservedKinds = [Binding].map((typed) => ({ group: '', version: 'v1', typed }));
