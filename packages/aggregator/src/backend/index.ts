export { readCaBundle } from './ca-bundle.ts';
export { addressOf } from './explain-failure.ts';
