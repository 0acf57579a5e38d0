/** A value, or the promise of one. Most reads finish at once, and a promise for each would cost a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` at once with a value, or when its promise has resolved. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs an action; `onError` makes the result of a thrown error or rejection, and `onEnd` runs before the result is returned. */
export function runCatching<T>(
  action: () => MaybePromise<T>,
  { onError, onEnd }: { onError: (error: unknown) => T; onEnd?: () => void },
): MaybePromise<T> {
  let value: MaybePromise<T>;
  try {
    value = action();
  } catch (error) {
    onEnd?.();
    return onError(error);
  }
  if (!(value instanceof Promise)) {
    onEnd?.();
    return value;
  }
  return value.then(
    (result) => {
      onEnd?.();
      return result;
    },
    (error: unknown) => {
      onEnd?.();
      return onError(error);
    },
  );
}

/** The `onError` of a caller that needs `onEnd` alone. */
export function rethrow(error: unknown): never {
  throw error;
}
