import { StatusError } from '@tributary/apimachinery';

/** An error that upstream answers as it comes: a failure of the server without a reason. */
export function plainFailure(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ code: 500, message }, options);
}
