import { setFlagsFromString } from 'node:v8';

/**
 * For programs that serve requests until they are stopped. V8 watches which objects live long, and then makes others
 * that come from the same place in its old space from the start. After some slow writes it takes all requests for such:
 * each then keeps everything around it until the next full collection. With this it does not; measured on reads after a
 * thousand writes, a collection of young objects takes 1 ms in place of 15, and a request 65 µs in place of 80.
 *
 * For when the server answers: from here on, whatever is loaded is compiled anew, because compiled code counts only under the flags
 * that it was compiled with.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Does something as if requests were not kept young, such as leaving compiled code for a start in which they are not yet. */
export function asBeforeYoungRequests(work: () => void): void {
  setFlagsFromString('--allocation-site-pretenuring');
  try {
    work();
  } finally {
    keepRequestsYoung();
  }
}
