/** Goes on with a value at once, or when it is there. */
export function whenSettled<T, U>(
  value: T | Promise<T>,
  goOn: (value: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** Runs something that may fail at once or later; `fail` makes of a failure what the caller gets. */
export function settled<T>(
  run: () => T | Promise<T>,
  { fail, end }: { fail: (error: unknown) => T; end?: () => void },
): T | Promise<T> {
  let value: T | Promise<T>;
  try {
    value = run();
  } catch (error) {
    end?.();
    return fail(error);
  }
  if (!(value instanceof Promise)) {
    end?.();
    return value;
  }
  return value.then(
    (result) => {
      end?.();
      return result;
    },
    (error: unknown) => {
      end?.();
      return fail(error);
    },
  );
}

/** For those who only want to know when something has ended. */
export function rethrow(error: unknown): never {
  throw error;
}
