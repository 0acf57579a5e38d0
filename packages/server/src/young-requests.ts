import { setFlagsFromString } from 'node:v8';

/**
 * For programs that serve requests until they are stopped. V8 watches which objects live long, and then makes others
 * that come from the same place in its old space from the start. After some slow writes it takes all requests for such:
 * each then keeps everything around it until the next full collection. With this it does not; measured on reads after a
 * thousand writes, a collection of young objects takes 1 ms in place of 15, and a request 65 µs in place of 80.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
