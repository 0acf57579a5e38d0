import { StatusError } from '@tributary/apimachinery';

/** Upstream's response for a plain Go error: 500 without a reason. */
export function plainError(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ code: 500, message }, options);
}
