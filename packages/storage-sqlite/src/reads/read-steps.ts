/** A read in steps; a step that waits for I/O yields a promise. */
export type Steps = Generator<Promise<void> | undefined, void>;
