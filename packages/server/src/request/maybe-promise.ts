/** An answer that is at hand, or one that is promised. Who has it makes no promise: most never wait for anything. */
export type Eventually<T> = T | Promise<T>;
